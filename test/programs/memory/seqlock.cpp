// A sequence lock: odd while the data is being written. Without the fences the accesses to the data go past those of the
// sequence, and a reader takes half of an update for a whole one.
// expect: --memory=sc none
// expect: --memory=c++20 --all assertion stronger=32:acquire,24:release,25:release,33:acquire
// expect: --memory=c++20 -D FIXED=1 none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<unsigned> sequence{0};
static std::atomic<int> low{0}, high{0};

static void fence(std::memory_order order) {
#ifdef FIXED
  std::atomic_thread_fence(order);
#else
  static_cast<void>(order);
#endif
}

static void write(int value) {
  sequence.store(1, std::memory_order_relaxed);
  fence(std::memory_order_release);
  low.store(value, std::memory_order_relaxed);
  high.store(value, std::memory_order_relaxed);
  sequence.store(2, std::memory_order_release);
}

int main() {
  std::thread writer([] { write(1); });
  const unsigned before = sequence.load(std::memory_order_acquire);
  const int a = low.load(std::memory_order_relaxed);
  const int b = high.load(std::memory_order_relaxed);
  fence(std::memory_order_acquire);
  const unsigned after = sequence.load(std::memory_order_relaxed);
  if (before == after && before % 2 == 0) assert(a == b);
  writer.join();
}
