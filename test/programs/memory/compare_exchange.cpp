// A compare-exchange has two memory orders, and which one counts depends on what it finds. Each thread stores and then looks,
// one by an exchange: where that fails it only loads, relaxed, and both may miss each other; where it swaps they may not.
// FIRST: the thread with the exchange comes first, so it is another one that is made to read anew. SWAPS: finding 0 it swaps.
// expect: assertion
// expect: -D FIRST=1 assertion
// expect: -D SWAPS=1 none assumes=nothing
// expect: -D FIRST=1 -D SWAPS=1 none assumes=nothing
// expect: --memory=c++20 -D STRONG=1 none classes=3
// expect: --memory=c++20 -D STRONG=1 -D FIRST=1 none classes=3
#include <atomic>
#include <cassert>
#include <thread>

#ifdef STRONG
constexpr auto kFailure = std::memory_order_seq_cst;
#else
constexpr auto kFailure = std::memory_order_relaxed;
#endif
#ifndef FIRST
#define FIRST 0
#endif
#ifndef SWAPS
#define SWAPS 0
#endif

static std::atomic<int> x{0}, y{0};
static int found = -1, seen = -1;

static void look() {
  y.store(1);
  seen = x.load();
}

static void exchange() {
  x.store(1);
  int expected = SWAPS ? 0 : 1;
  y.compare_exchange_strong(expected, SWAPS ? 0 : 2, std::memory_order_seq_cst, kFailure);
  found = expected;
}

int main() {
  std::thread one(FIRST ? exchange : look), two(FIRST ? look : exchange);
  one.join();
  two.join();
  assert(found != 0 || seen != 0);
}
