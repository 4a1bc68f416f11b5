// Loops that give up after many looks, by a counter that is not in the loop's own function: in an object, in what a lambda refers to,
// behind a pointer. They only seem to pause. The bug: it is taken for granted that what they wait for has come.
// expect: none
// expect: -D BUG=1 assertion
// algorithms: source-dpor
// counts: optimiser
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> flag{false};

struct Backoff {
  int turns = 0;
  bool pause() {
    std::this_thread::yield();
    return ++turns < 300;
  }
};

bool by_object() {
  Backoff backoff;
  while (!flag.load())
    if (!backoff.pause()) return false;
  return true;
}

bool by_lambda() {
  int turns = 0;
  const auto tired = [&] { return ++turns > 300; };
  while (!flag.load()) {
    if (tired()) return false;
    std::this_thread::yield();
  }
  return true;
}

bool by_pointer(int *turns) {
  while (!flag.load()) {
    if (++*turns > 300) return false;
    std::this_thread::yield();
  }
  return true;
}

int main() {
  int turns = 0;
  std::thread waits([&] {
    const bool found = by_object() || by_lambda() || by_pointer(&turns);
#ifdef BUG
    assert(found);
#else
    (void)found;
#endif
  });
  waits.join();
}
