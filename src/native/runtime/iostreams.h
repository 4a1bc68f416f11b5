// Streams of the C++ library as memory that threads share (iostreams.cpp).
#pragma once

#include <cstdint>
#include <ios>

namespace heddle::runtime {

// std::ios_base begins with a pointer to its table; precision and width follow, flags, exceptions and state; behind it,
// in std::basic_ios, come the stream that it is tied to and the character to fill with.
inline constexpr std::uint16_t kPrecisionOfStream = sizeof(void*), kWidthOfStream = 2 * sizeof(void*),
                               kFlagsOfStream = 3 * sizeof(void*), kStateOfStream = 4 * sizeof(void*),
                               kFillOfStream = sizeof(std::ios_base) + sizeof(void*);

// Of a std::ostream or std::istream, which have it as a virtual base, the only one: its place is in their table.
inline std::uintptr_t base_of_stream(std::uintptr_t stream) {
  const auto table = *reinterpret_cast<const std::intptr_t* const*>(stream);
  return stream + static_cast<std::uintptr_t>(table[-3]);
}

// Does a function look at flags, width and precision?
enum class Layout : std::uint8_t { kUnused, kUsed };

// A function of libstdc++ is about to use this std::ostream or std::istream.
void announce_output(void* stream, Layout layout, const void* pc);
void announce_input(void* stream, Layout layout, const void* pc);

}  // namespace heddle::runtime
