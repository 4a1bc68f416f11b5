// A set of small numbers (threads, choices), in a few machine words.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/assert.h"
#include "base/strong_id.h"

namespace heddle {

class SmallSet {
 public:
  static constexpr std::size_t kWords = kMaxThreads / 64;

  constexpr SmallSet() = default;
  static constexpr SmallSet of(std::size_t i) {
    SmallSet s;
    s.insert(i);
    return s;
  }
  static constexpr SmallSet word(std::uint64_t first) {  // the elements are its bits
    SmallSet s;
    s.word_[0] = first;
    return s;
  }
  static constexpr SmallSet below(std::size_t n) {
    SmallSet s;
    for (std::size_t w = 0; w < kWords && n > 64 * w; ++w)
      s.word_[w] = n >= 64 * (w + 1) ? ~0ull : (1ull << (n - 64 * w)) - 1;
    return s;
  }

  constexpr bool contains(std::size_t i) const { return (word_[i / 64] >> (i % 64)) & 1; }
  constexpr void insert(std::size_t i) { word_[i / 64] |= 1ull << (i % 64); }
  constexpr void erase(std::size_t i) { word_[i / 64] &= ~(1ull << (i % 64)); }
  constexpr bool empty() const {
    std::uint64_t any = 0;
    for (const std::uint64_t w : word_) any |= w;
    return any == 0;
  }
  constexpr int size() const {
    int n = 0;
    for (const std::uint64_t w : word_) n += std::popcount(w);
    return n;
  }
  constexpr std::size_t first() const {
    std::size_t w = 0;
    while (word_[w] == 0 && w + 1 < kWords) ++w;
    return 64 * w + static_cast<std::size_t>(std::countr_zero(word_[w]));
  }

  constexpr bool contains(ThreadId t) const { return contains(t.index()); }
  constexpr void insert(ThreadId t) { insert(t.index()); }
  constexpr void erase(ThreadId t) { erase(t.index()); }
  constexpr ThreadId first_thread() const { return ThreadId(static_cast<std::uint16_t>(first())); }

  constexpr SmallSet operator|(const SmallSet& o) const {
    return by_word(o, [](std::uint64_t a, std::uint64_t b) { return a | b; });
  }
  constexpr SmallSet operator&(const SmallSet& o) const {
    return by_word(o, [](std::uint64_t a, std::uint64_t b) { return a & b; });
  }
  constexpr SmallSet operator-(const SmallSet& o) const {
    return by_word(o, [](std::uint64_t a, std::uint64_t b) { return a & ~b; });
  }
  constexpr bool operator==(const SmallSet&) const = default;
  // A copy by words. The compiler would take 16 bytes at once, and wait until a word written just before has arrived.
  SmallSet by_words() const {
    SmallSet s;
    for (std::size_t w = 0; w < kWords; ++w) {
      std::uint64_t word = word_[w];
      asm("" : "+r"(word));
      s.word_[w] = word;
    }
    return s;
  }
  constexpr std::uint64_t word_at(std::size_t i) const { return word_[i]; }
  constexpr void set_word(std::size_t i, std::uint64_t elements) { word_[i] = elements; }

  template <class F>
  constexpr void for_each(F&& f) const {
    for (std::size_t at = 0; at < kWords; ++at)
      for (std::uint64_t w = word_[at]; w; w &= w - 1) f(64 * at + static_cast<std::size_t>(std::countr_zero(w)));
  }
  template <class F>
  constexpr void for_each_thread(F&& f) const {
    for_each([&](std::size_t i) { f(ThreadId(static_cast<std::uint16_t>(i))); });
  }

 private:
  template <class F>
  constexpr SmallSet by_word(const SmallSet& o, F&& f) const {
    SmallSet s;
    for (std::size_t w = 0; w < kWords; ++w) s.word_[w] = f(word_[w], o.word_[w]);
    return s;
  }
  std::array<std::uint64_t, kWords> word_{};
};

using ThreadSet = SmallSet;
using ChoiceSet = SmallSet;

}  // namespace heddle
