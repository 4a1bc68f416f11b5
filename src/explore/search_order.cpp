#include "explore/search_order.h"

#include <bit>

#include "base/random.h"

namespace heddle::explore {
namespace {

ThreadId nth(ThreadSet set, std::uint32_t n) {
  ThreadId found = kNoThread;
  set.for_each_thread([&](ThreadId t) {
    if (n-- == 0) found = t;
  });
  return found;
}

std::uint32_t reverse_bits(std::uint32_t value, int bits) {
  std::uint32_t reversed = 0;
  for (int i = 0; i < bits; ++i)
    if (value & (1u << i)) reversed |= 1u << (bits - 1 - i);
  return reversed;
}

// The k-th position of the permutation of 0..n-1 that `kind` stands for; n or more: a hole, pass over it.
std::uint32_t position(OrderKind kind, std::uint32_t k, std::uint32_t n, std::uint64_t seed, std::size_t depth) {
  switch (kind) {
    case OrderKind::kDfs:
      return k;
    case OrderKind::kBitReversal: {
      const int bits = std::bit_width(n - 1);
      const std::uint32_t r = reverse_bits(k, bits);
      return r < n ? (r + static_cast<std::uint32_t>(seed % n)) % n : n;
    }
    case OrderKind::kRoundRobin:
      return (k + static_cast<std::uint32_t>((seed + depth) % n)) % n;
    case OrderKind::kStride: {
      // A stride coprime to n visits every sibling.
      std::uint32_t stride = n / 2 + 1 + static_cast<std::uint32_t>(seed % n);
      const auto gcd = [](std::uint32_t a, std::uint32_t b) {
        while (b) a %= b, std::swap(a, b);
        return a;
      };
      while (gcd(stride, n) != 1) ++stride;
      return static_cast<std::uint32_t>((static_cast<std::uint64_t>(k) * stride + seed) % n);
    }
    case OrderKind::kConflictFirst:
      return n - 1 - k;
  }
  return k;
}

}  // namespace

ThreadId choose_sibling(const SearchOrder& order, SiblingCounter& counter, ThreadSet siblings, ThreadSet wanted,
                        std::size_t depth) {
  REQUIRE(!wanted.empty());
  if (order.kind == OrderKind::kDfs) return wanted.first_thread();
  // Backtrack sets hold threads because they race here; conflict-first takes those that were not the default
  // choice (the lowest id) before it, highest first.
  const ThreadSet all = siblings | wanted;
  const auto n = static_cast<std::uint32_t>(all.size());
  const std::uint32_t period = std::bit_ceil(n);
  for (std::uint32_t i = 0; i < 2 * period; ++i) {
    const std::uint32_t k = counter.tried++ % period;
    const std::uint32_t p =
        k < n || order.kind == OrderKind::kBitReversal ? position(order.kind, k, n, order.seed, depth) : n;
    if (p >= n) continue;
    const ThreadId t = nth(all, p);
    if (wanted.contains(t)) return t;
  }
  INVARIANT(!"every sibling comes up within two rounds");
  return wanted.first_thread();
}

}  // namespace heddle::explore
