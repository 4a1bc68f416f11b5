// Who gives up the last reference frees the object. All that others have done with it must happen before that: each gives
// up with release, and the last one acquires.
// expect: --memory=c++20 --all data-race stronger=27:acq_rel
// expect: --memory=c++20 -D FIXED=1 none assumes=nothing
// expect: --memory=c++20 -D FIXED=2 none
#include <atomic>
#include <thread>

#ifndef FIXED
#define FIXED 0
#endif
#if FIXED == 1
constexpr auto kGiveUp = std::memory_order_acq_rel;
#elif FIXED == 2
constexpr auto kGiveUp = std::memory_order_release;
#else
constexpr auto kGiveUp = std::memory_order_relaxed;
#endif

struct Shared {
  std::atomic<int> references{2};
  int values[2] = {};
};

static void use(Shared* shared, int me) {
  shared->values[me] = 1;
  if (shared->references.fetch_sub(1, kGiveUp) != 1) return;
  if (FIXED == 2) std::atomic_thread_fence(std::memory_order_acquire);
  delete shared;
}

int main() {
  auto shared = new Shared;
  std::thread other([=] { use(shared, 1); });
  use(shared, 0);
  other.join();
}
