// The entry of Dekker's lock: who has said that it wants to, and does not see the other say so, enters. Only sequentially
// consistent accesses, or fences, keep both from entering.
// By default c++20, as orders are weaker than sequentially consistent.
// expect: --memory=sc none assumes=sequential-consistency
// expect: data-race stronger=26:seq_cst,28:seq_cst
// expect: --memory=tso --all data-race
// expect: --memory=c++20 --all data-race stronger=26:seq_cst,28:seq_cst
// expect: --memory=c++20 -D FIXED=1 none assumes=nothing
// expect: --memory=c++20 -D FIXED=2 none assumes=nothing
#include <atomic>
#include <thread>

#ifndef FIXED
#define FIXED 0
#endif
#if FIXED == 1
constexpr auto kSay = std::memory_order_seq_cst, kLook = std::memory_order_seq_cst;
#else
constexpr auto kSay = std::memory_order_release, kLook = std::memory_order_acquire;
#endif

static std::atomic<bool> wants[2];
static int inside;

static void enter(int me) {
  wants[me].store(true, kSay);
  if (FIXED == 2) std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!wants[1 - me].load(kLook)) ++inside;
}

int main() {
  std::thread other([] { enter(1); });
  enter(0);
  other.join();
}
