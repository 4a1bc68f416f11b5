// Rows of vector clocks: their lengths are rounded up to fours, so that the compiler needs neither a loop for the rest
// nor a call to copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace heddle::clock_row {

// Signed, as the oldest processors compare only such; no component comes near the sign.
using Four = std::int32_t __attribute__((vector_size(16)));

constexpr std::size_t rounded(std::size_t threads) { return (threads + 3) & ~std::size_t{3}; }

inline Four load(const std::uint32_t* p) {
  Four f;
  std::memcpy(&f, p, sizeof f);
  return f;
}

inline void store(std::uint32_t* p, Four f) { std::memcpy(p, &f, sizeof f); }

// Writes the four, of which one is new: reading them later would wait for one that was written alone.
inline void set(std::uint32_t* row, std::size_t i, std::uint32_t value) {
  const auto lane = static_cast<std::int32_t>(i & 3), v = static_cast<std::int32_t>(value);
  const Four mask = Four{0, 1, 2, 3} == Four{lane, lane, lane, lane};
  std::uint32_t* four = row + (i & ~std::size_t{3});
  store(four, mask ? Four{v, v, v, v} : load(four));
}

// `length` is a multiple of four.
inline void join(std::uint32_t* into, const std::uint32_t* from, std::size_t length) {
  for (std::size_t i = 0; i < length; i += 4) {
    const Four a = load(into + i), b = load(from + i);
    store(into + i, a > b ? a : b);
  }
}

inline void meet(std::uint32_t* into, const std::uint32_t* one, const std::uint32_t* other, std::size_t length) {
  for (std::size_t i = 0; i < length; i += 4) {
    const Four a = load(one + i), b = load(other + i);
    store(into + i, a < b ? a : b);
  }
}

inline void copy(std::uint32_t* into, const std::uint32_t* from, std::size_t length) {
  for (std::size_t i = 0; i < length; i += 4) store(into + i, load(from + i));
}

inline void clear(std::uint32_t* row, std::size_t length) {
  for (std::size_t i = 0; i < length; i += 4) store(row + i, Four{});
}

}  // namespace heddle::clock_row
