// A spin lock with seq_cst everywhere: taking it needs acquire, giving it back release.
// expect: --memory=c++20 none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> held{false};
static int count;
static void lock() {
  while (held.exchange(true)) {
  }
}
static void unlock() { held.store(false); }

int main() {
  std::thread other([] {
    lock();
    ++count;
    unlock();
  });
  lock();
  ++count;
  unlock();
  other.join();
  assert(count == 2);
}
