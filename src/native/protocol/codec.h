// Bytes on the wire. Encoding appends to a buffer and does nothing else, so that it can run inside the program
// under test; decoding trusts nothing: lengths are checked against what is left, enums against their range, and
// a malformed message is an Error with the place.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "native/protocol/messages.h"
#include "trace/archive.h"

namespace heddle::protocol {

using Bytes = std::vector<std::uint8_t>;

// A frame: its length, its type, its payload.
class FrameWriter : public trace::ArchiveWriter {
 public:
  explicit FrameWriter(MessageType type);
  Bytes finish();
};

// Complete frames, ready to be written.
Bytes encode(const WorkerOptions& options);
Bytes encode(const explore::Progress& progress);
Bytes encode(const WorkerResult& result, MessageType type = MessageType::kResult);
Bytes encode_tests(const std::vector<std::string>& names);
Bytes encode(const ExploredPath& path);
Bytes encode_error(const std::string& message);

struct Frame {
  MessageType type = MessageType::kError;
  Bytes payload;
};

// Cuts a byte stream into frames.
class FrameReader {
 public:
  void append(std::span<const std::uint8_t> bytes);
  // A frame, or none yet (`complete` false), or an error: the stream is not Heddle's.
  struct Next {
    bool complete = false;
    Frame frame;
  };
  Result<Next> next();

 private:
  Bytes buffer_;
  std::size_t consumed_ = 0;
};

Result<WorkerOptions> decode_options(std::span<const std::uint8_t> payload);
Result<explore::Progress> decode_progress(std::span<const std::uint8_t> payload);
Result<WorkerResult> decode_result(std::span<const std::uint8_t> payload);
Result<std::vector<std::string>> decode_tests(std::span<const std::uint8_t> payload);
Result<ExploredPath> decode_path(std::span<const std::uint8_t> payload);
Result<std::string> decode_error(std::span<const std::uint8_t> payload);

}  // namespace heddle::protocol
