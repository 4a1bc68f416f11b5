// Threads that wait by taking a lock, looking, and giving it back. A turn in vain is struck out, as where it only looks: it counts
// where nobody has the lock after it who might change something. FORGOTTEN: nobody does. TWO: of two who wait, each has the lock
// after the other. AFTER: what is not protected by the lock may be seen late.
// expect: --memory=sc none classes=1
// expect: --memory=c++20 none classes=1
// expect: --memory=c++20 -D FORGOTTEN=1 livelock
// expect: --memory=c++20 -D TWO=1 none classes=2
// expect: --memory=c++20 -D TWO=1 -D FORGOTTEN=1 livelock
// expect: --memory=c++20 -D AFTER=1 none classes=2
// expect: --memory=c++20 -D HELD=1 none classes=2
// counts: spinning
// flags: -std=c++20
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int ready = 0;  // protected by the mutex
std::atomic<int> late{0};

bool look() {
  std::lock_guard guard(mutex);
  return ready != 0;
}

void wait() {
#ifdef HELD
  mutex.lock();
  while (ready == 0) {
    mutex.unlock();
    mutex.lock();
  }
  mutex.unlock();
#else
  while (!look()) {
  }
#endif
#ifdef AFTER
  const int seen = late.load(std::memory_order_relaxed);
  assert(seen == 0 || seen == 1);
#endif
}

void announce() {
#ifndef FORGOTTEN
  std::lock_guard guard(mutex);
  ready = 1;
#endif
}

int main() {
  std::thread waiter(wait);
#ifdef TWO
  std::thread other(wait);
#endif
  announce();
#ifdef AFTER
  late.store(1, std::memory_order_relaxed);
#endif
  waiter.join();
#ifdef TWO
  other.join();
#endif
}
