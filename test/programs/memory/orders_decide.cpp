// Which memory model it is, if nobody says. Weaker orders count where threads meet in the object: in a counter of each thread they do
// not (ALONE), nor with one thread; and the standard library's are its own affair (LIBRARY). Where a bug shows without weak memory, it
// is told as it is there (WRONG: the explanation is one of interleavings).
// expect: --all assertion classes=4
// expect: -D ALONE=1 none classes=2 assumes=nothing
// expect: -D LIBRARY=1 none assumes=nothing
// expect: -D WRONG=1 assertion stronger=unknown
// expect: --algorithm=optimal-dpor none classes=3 assumes=sequential-consistency
// expect: --algorithm=random --max-executions=10 inconclusive assumes=sequential-consistency
// flags: -std=c++20
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::atomic<int> x, y, own[2];
static std::shared_ptr<int> shared = std::make_shared<int>(1);
static int a, b;

static void first() {
#if defined ALONE
  own[0].store(own[0].load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  x.store(1);
#elif defined LIBRARY
  const std::shared_ptr<int> copy = shared;
  a = *copy;
#else
  x.store(1, std::memory_order_release);
  a = y.load(std::memory_order_acquire);
#endif
}

static void second() {
#if defined ALONE
  own[1].store(own[1].load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  b = x.load();
#elif defined LIBRARY
  const std::shared_ptr<int> copy = shared;
  b = *copy;
#else
  y.store(1, std::memory_order_release);
  b = x.load(std::memory_order_acquire);
#endif
}

int main() {
  std::thread one(first), two(second);
  one.join();
  two.join();
#if defined WRONG
  assert(a == 1);
#elif !defined ALONE && !defined LIBRARY
  assert(a == 1 || b == 1);
#endif
}
