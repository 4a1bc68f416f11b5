// The work-stealing deque of Chase and Lev (SPAA 2005), published for sequentially consistent memory: the owner takes from the
// bottom and looks at the top, thieves take from the top and look at the bottom. With weaker orders neither need see the other,
// and both get the last element. (The fences are those of Le, Pop, Cohen and Zappa Nardelli, PPoPP 2013.)
// expect: --memory=sc none
// expect: --memory=tso assertion
// expect: --memory=c++20 assertion stronger=32:seq_cst,34:seq_cst,49:seq_cst
// expect: --memory=c++20 -D FIXED=1 none
#include <atomic>
#include <cassert>
#include <thread>

constexpr auto kRelaxed = std::memory_order_relaxed, kAcquire = std::memory_order_acquire,
               kRelease = std::memory_order_release, kSeqCst = std::memory_order_seq_cst;

static std::atomic<long> top{0}, bottom{0};
static std::atomic<int> cells[2];

static void fence() {
#ifdef FIXED
  std::atomic_thread_fence(kSeqCst);
#endif
}

static void push(int value) {
  const long b = bottom.load(kRelaxed);
  cells[b % 2].store(value, kRelaxed);
  bottom.store(b + 1, kRelease);
}

static int take() {
  const long b = bottom.load(kRelaxed) - 1;
  bottom.store(b, kRelaxed);
  fence();
  long t = top.load(kRelaxed);
  if (t > b) {
    bottom.store(b + 1, kRelaxed);
    return 0;
  }
  int value = cells[b % 2].load(kRelaxed);
  if (t < b) return value;
  if (!top.compare_exchange_strong(t, t + 1, kSeqCst, kRelaxed)) value = 0;
  bottom.store(b + 1, kRelaxed);
  return value;
}

static int steal() {
  long t = top.load(kAcquire);
  fence();
  if (t >= bottom.load(kAcquire)) return 0;
  const int value = cells[t % 2].load(kRelaxed);
  return top.compare_exchange_strong(t, t + 1, kSeqCst, kRelaxed) ? value : 0;
}

int main() {
  push(1);
  push(2);
  int first = 0, second = 0;
  std::thread thief([&] {
    first = steal();
    second = steal();
  });
  const int taken = take();
  thief.join();
  assert(taken == 0 || (taken != first && taken != second));
}
