// Workers that spin for something to do until they are told to stop. The bug: they stop at once, even if something is
// left to do.
// expect: none classes=258
// expect: -D BUG=1 assertion
// algorithms: source-dpor unfolding contextual-unfolding
// counts: spinning
// (dpor, which has no sleep sets, needs more than a million executions.)
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> offered{0}, taken{0};
std::atomic<bool> stop{false};
int results[2];

void work() {
  for (;;) {
    int t = taken.load();
    if (t < offered.load()) {
      if (taken.compare_exchange_strong(t, t + 1)) results[t] = t + 1;
#ifdef BUG
      if (stop.load()) return;
#endif
      continue;
    }
    if (stop.load()) {
      if (taken.load() == offered.load()) return;
    }
  }
}

int main() {
  std::thread one(work), other(work);
  offered.store(1);
  offered.store(2);
  stop.store(true);
  one.join();
  other.join();
  assert(results[0] == 1 && results[1] == 2);
}
