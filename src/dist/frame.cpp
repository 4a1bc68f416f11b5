#include "dist/frame.h"

#include <cstring>

namespace heddle::dist {
namespace {

constexpr std::size_t kHead = 4 + 2 + 1 + 4 + 8;

}  // namespace

// FNV-1a by words: it tells damage from data, not friend from foe.
std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u ^ bytes.size();
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const std::size_t n = bytes.size() < 8 ? bytes.size() : 8;
    std::memcpy(&word, bytes.data(), n);
    hash = (hash ^ word) * 0x100000001b3u;
    hash ^= hash >> 29;
    bytes = bytes.subspan(n);
  }
  return hash;
}

Result<std::span<const std::uint8_t>> unframed(FrameKind kind, std::span<const std::uint8_t> bytes) {
  const Error damaged{"a part of a search is damaged: it was cut off or changed on its way; begin the search anew"};
  if (bytes.size() < kHead) return damaged;
  trace::ArchiveReader head(bytes.first(kHead));
  std::uint32_t magic = 0, length = 0;
  std::uint16_t format = 0;
  std::uint8_t found = 0;
  std::uint64_t sum = 0;
  head.number(magic);
  head.number(format);
  head.number(found);
  head.number(length);
  head.number(sum);
  if (magic != 0x4c574448) return damaged;
  if (format != kFormat)
    return Error{"a part of a search is in format " + std::to_string(format) + ", and this version of heddle knows " +
                 std::to_string(kFormat) + "; use the same version everywhere"};
  const auto content = bytes.subspan(kHead);
  if (found != static_cast<std::uint8_t>(kind) || content.size() != length || checksum(content) != sum) return damaged;
  return content;
}

}  // namespace heddle::dist
