// A weak compare-and-swap may fail though it finds what it expects. A loop tries again, and is as it was without. (Not with
// -fsanitize=thread of clang, which does not tell weak from strong.)
// expect: -D LOOP=1 none classes=4
// expect: -D LOOP=1 --spurious=off none classes=4
// expect: --spurious=off none classes=2
// expect: --all assertion classes=4
#include <atomic>
#include <cassert>
#include <thread>

#ifndef LOOP
#define LOOP 0
#endif

static std::atomic<int> x{0};

static void increment() {
  int found = x.load();
  while (!x.compare_exchange_weak(found, found + 1)) {
  }
}

static void claim() {
  int expected = 0;
  if (!x.compare_exchange_weak(expected, 1)) assert(expected != 0);
}

int main() {
  std::thread other([] {
    if (LOOP) {
      increment();
    } else {
      int expected = 0;
      x.compare_exchange_strong(expected, 1);
    }
  });
  LOOP ? increment() : claim();
  other.join();
  assert(x != 0);
}
