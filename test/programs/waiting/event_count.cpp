// An event count: announce, look once more, sleep until the epoch changes. The bug: no second look.
// expect: none classes=12
// expect: -D BUG=1 deadlock
// algorithms: every
// counts: spinning
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<unsigned> epoch{0};
std::atomic<int> waiters{0}, ready{0};
int data = 0;

void wait_until_ready() {
  while (!ready.load()) {
    waiters.fetch_add(1);
    const unsigned key = epoch.load();
#ifndef BUG
    if (ready.load()) {
      waiters.fetch_sub(1);
      return;
    }
#endif
    epoch.wait(key);
    waiters.fetch_sub(1);
  }
}

void notify() {
  data = 1;
  ready.store(1);
  if (waiters.load() == 0) return;
  epoch.fetch_add(1);
  epoch.notify_all();
}

int main() {
  std::thread waiter([] {
    wait_until_ready();
    assert(data == 1);
  });
  std::thread notifier(notify);
  waiter.join();
  notifier.join();
}
