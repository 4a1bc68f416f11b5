// Tries to lock for a time until it has the lock. The bug: it is never given back.
// expect: none classes=2
// expect: -D BUG=1 livelock
// algorithms: every
// exempt: gcc
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::timed_mutex lock;
int sum;

static void add() {
  while (!lock.try_lock_for(1ms)) {
  }
  ++sum;
#ifndef BUG
  lock.unlock();
#endif
}

int main() {
  std::thread other(add);
  add();
  other.join();
  assert(sum == 2);
}
