// A frame around bytes that have left the process: what they are, which version of the format, how long, and a
// checksum. Whatever is damaged, cut off or of another version is noticed before anything is made of it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "trace/archive.h"

namespace heddle::dist {

inline constexpr std::uint16_t kFormat = 2;

enum class FrameKind : std::uint8_t {
  kItem = 1,
  kResult,
  kTally,
  kSegment,
  kSearch,
  kKnowledge,
  kLetter,
  kAnswer,
  kTerms
};

std::uint64_t checksum(std::span<const std::uint8_t> bytes);

template <class F>
std::vector<std::uint8_t> framed(FrameKind kind, F&& content) {
  trace::ArchiveWriter inner;
  content(inner);
  trace::ArchiveWriter outer;
  outer.number(std::uint32_t{0x4c574448});  // "HDWL"
  outer.number(kFormat);
  outer.number(kind);
  outer.number(static_cast<std::uint32_t>(inner.bytes().size()));
  outer.number(checksum(inner.bytes()));
  std::vector<std::uint8_t> bytes = outer.take();
  bytes.insert(bytes.end(), inner.bytes().begin(), inner.bytes().end());
  return bytes;
}

// The content of a frame of this kind, or what is wrong with it.
Result<std::span<const std::uint8_t>> unframed(FrameKind kind, std::span<const std::uint8_t> bytes);

}  // namespace heddle::dist
