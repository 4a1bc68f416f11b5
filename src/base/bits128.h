// A set of small numbers (threads, choices) below 128, in two machine words.
#pragma once

#include <bit>
#include <cstdint>

#include "base/assert.h"
#include "base/strong_id.h"

namespace heddle {

class Bits128 {
 public:
  constexpr Bits128() = default;
  static constexpr Bits128 of(std::size_t i) {
    Bits128 s;
    s.insert(i);
    return s;
  }
  static constexpr Bits128 word(std::uint64_t low) { return {low, 0}; }   // the elements are its bits
  static constexpr Bits128 below(std::size_t n) {
    Bits128 s;
    s.low_ = n >= 64 ? ~0ull : (1ull << n) - 1;
    s.high_ = n >= 128 ? ~0ull : n <= 64 ? 0 : (1ull << (n - 64)) - 1;
    return s;
  }

  constexpr bool contains(std::size_t i) const { return ((i < 64 ? low_ : high_) >> (i & 63)) & 1; }
  constexpr void insert(std::size_t i) { (i < 64 ? low_ : high_) |= 1ull << (i & 63); }
  constexpr void erase(std::size_t i) { (i < 64 ? low_ : high_) &= ~(1ull << (i & 63)); }
  constexpr bool empty() const { return (low_ | high_) == 0; }
  constexpr int size() const { return std::popcount(low_) + std::popcount(high_); }
  constexpr std::size_t first() const {
    return low_ ? static_cast<std::size_t>(std::countr_zero(low_))
                : 64 + static_cast<std::size_t>(std::countr_zero(high_));
  }

  constexpr bool contains(ThreadId t) const { return contains(t.index()); }
  constexpr void insert(ThreadId t) { insert(t.index()); }
  constexpr void erase(ThreadId t) { erase(t.index()); }
  constexpr ThreadId first_thread() const { return ThreadId(static_cast<std::uint16_t>(first())); }

  constexpr Bits128 operator|(Bits128 o) const { return {low_ | o.low_, high_ | o.high_}; }
  constexpr Bits128 operator&(Bits128 o) const { return {low_ & o.low_, high_ & o.high_}; }
  constexpr Bits128 operator-(Bits128 o) const { return {low_ & ~o.low_, high_ & ~o.high_}; }
  constexpr bool operator==(const Bits128&) const = default;
  // A copy by words. The compiler would take 16 bytes at once, and wait until a word written just before has arrived.
  constexpr Bits128 by_words() const { return {low_, high_}; }
  constexpr std::uint64_t low() const { return low_; }
  constexpr std::uint64_t high() const { return high_; }

  template <class F>
  constexpr void for_each(F&& f) const {
    for (std::uint64_t w = low_; w; w &= w - 1) f(static_cast<std::size_t>(std::countr_zero(w)));
    for (std::uint64_t w = high_; w; w &= w - 1) f(64 + static_cast<std::size_t>(std::countr_zero(w)));
  }
  template <class F>
  constexpr void for_each_thread(F&& f) const {
    for_each([&](std::size_t i) { f(ThreadId(static_cast<std::uint16_t>(i))); });
  }

 private:
  constexpr Bits128(std::uint64_t low, std::uint64_t high) : low_(low), high_(high) {}
  std::uint64_t low_ = 0;
  std::uint64_t high_ = 0;
};

using ThreadSet = Bits128;
using ChoiceSet = Bits128;

}  // namespace heddle
