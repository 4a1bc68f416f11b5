// Two threads each store and then look at what the other one stores. With release and acquire neither need see the other.
// By default c++20 where orders are weaker, interleavings where they are not.
// expect: --all assertion classes=4 failed=1
// expect: -D FIXED=1 none classes=3 assumes=nothing
// expect: -j2 --all assertion classes=4 failed=1
// expect: --memory=sc none classes=3 assumes=sequential-consistency
// expect: --algorithm=trust none classes=3 assumes=sequential-consistency
// expect: --memory=tso --all assertion classes=4 failed=1
// expect: --memory=c++20 --all assertion classes=4 failed=1 stronger=39:seq_cst,41:seq_cst,35:seq_cst,37:seq_cst
// expect: --memory=c++20 -D FIXED=1 none classes=3 assumes=nothing
// expect: --memory=tso -D FIXED=1 none classes=3
// expect: --memory=c++20 -D FIXED=2 none classes=3 assumes=nothing
#include <atomic>
#include <cassert>
#include <thread>

#ifndef FIXED
#define FIXED 0
#endif
#if FIXED == 1
constexpr auto kStore = std::memory_order_seq_cst, kLoad = std::memory_order_seq_cst;
#else
constexpr auto kStore = std::memory_order_release, kLoad = std::memory_order_acquire;
#endif

static std::atomic<int> x{0}, y{0};
static int a, b;

static void barrier() {
  if (FIXED == 2) std::atomic_thread_fence(std::memory_order_seq_cst);
}

int main() {
  std::thread other([] {
    y.store(1, kStore);
    barrier();
    b = x.load(kLoad);
  });
  x.store(1, kStore);
  barrier();
  a = y.load(kLoad);
  other.join();
  assert(a == 1 || b == 1);
}
