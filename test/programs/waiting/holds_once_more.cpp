// A loop that locks a recursive mutex once more in each turn: in the end it is not free.
// expect: --max-steps=100 assertion
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::recursive_mutex mutex;
std::atomic<bool> done{false};

int main() {
  std::thread t([] {
    std::lock_guard guard(mutex);
    while (!done) mutex.lock();
  });
  done = true;
  t.join();
  assert(mutex.try_lock());
}
