// A spin lock that backs off by how often it has tried, without an end: pauses first, then naps, as in Boost. The bug: the lock is
// given back before the last update.
// expect: none classes=2358
// expect: -D BUG=1 data-race
#include <pthread.h>
#include <time.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> taken{false};
int visits = 0;

void nap() {
  int before;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  timespec time = {0, 1000};
  nanosleep(&time, nullptr);
  pthread_setcancelstate(before, &before);
}

void lock() {
  for (unsigned tries = 0; taken.exchange(true); ++tries) {
    if (tries == 0)
      __builtin_ia32_pause();
    else
      nap();
  }
}

void work() {
  for (int i = 0; i < 2; ++i) {
    lock();
#ifdef BUG
    taken = false;
    ++visits;
#else
    ++visits;
    taken = false;
#endif
  }
}

int main() {
  std::thread one(work), other(work);
  one.join();
  other.join();
  assert(visits == 4);
}
