// Plain data as bytes and back, by one description that serves both directions: `fields(archive, value)` names the
// members in order, and the archive either appends them to a buffer (ArchiveWriter) or fills them in, checking
// (ArchiveReader). Writing does nothing but append, so that it can run inside a program under test; reading trusts
// nothing: lengths are compared with what is left, enumerators with their range.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/result.h"

namespace heddle::trace {

class ArchiveWriter {
 public:
  template <class T>
  void number(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof value);
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }
  template <class T>
  void enumerator(T value, std::uint64_t) {
    number(value);
  }
  void flag(bool value) { number(static_cast<std::uint8_t>(value)); }
  void text(const std::string& value) {
    number(static_cast<std::uint32_t>(value.size()));
    bytes_.insert(bytes_.end(), value.begin(), value.end());
  }
  template <class T, class F>
  void list(const std::vector<T>& values, F&& each) {
    number(static_cast<std::uint32_t>(values.size()));
    for (const T& v : values) each(v);
  }
  template <class T, class F>
  void optional(const std::optional<T>& value, F&& each) {
    flag(value.has_value());
    if (value) each(*value);
  }

  const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
};

// After the first thing wrong everything reads as zero and `error` says where it was.
class ArchiveReader {
 public:
  explicit ArchiveReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  template <class T>
  void number(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    value = T{};
    if (failed_ || bytes_.size() - at_ < sizeof value) return fail();
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
  }
  template <class T>
  void enumerator(T& value, std::uint64_t count) {
    number(value);
    if (static_cast<std::uint64_t>(value) >= count) {
      value = T{};
      fail();
    }
  }
  void flag(bool& value) {
    std::uint8_t byte = 0;
    number(byte);
    if (byte > 1) fail();
    value = byte == 1;
  }
  void text(std::string& value) {
    value.clear();
    std::uint32_t length = 0;
    number(length);
    if (failed_ || bytes_.size() - at_ < length) return fail();
    value.assign(reinterpret_cast<const char*>(bytes_.data()) + at_, length);
    at_ += length;
  }
  template <class T, class F>
  void list(std::vector<T>& values, F&& each) {
    values.clear();
    std::uint32_t count = 0;
    number(count);
    // Every element takes a byte at least, so a count beyond the rest is a lie: do not allocate for it.
    if (failed_ || bytes_.size() - at_ < count) return fail();
    for (std::uint32_t i = 0; i < count && !failed_; ++i) {
      values.emplace_back();
      each(values.back());
    }
  }
  template <class T, class F>
  void optional(std::optional<T>& value, F&& each) {
    value.reset();
    bool present = false;
    flag(present);
    if (!present || failed_) return;
    value.emplace();
    each(*value);
  }

  template <class T>
  Result<T> finish(T value, const char* what) {
    if (!failed_ && at_ != bytes_.size()) fail();
    if (failed_)
      return Error{std::string("malformed ") + what + " at byte " + std::to_string(failed_at_) + " of " +
                   std::to_string(bytes_.size()) +
                   "; the executable was probably built by another version of heddle: build it again"};
    return value;
  }

 private:
  void fail() {
    if (!failed_) failed_at_ = at_;
    failed_ = true;
  }

  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  std::size_t failed_at_ = 0;
  bool failed_ = false;
};

}  // namespace heddle::trace
