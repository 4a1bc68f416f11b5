// pattern: wait without a loop
// lines: 21
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable filled;
int items = 0;

void put() {
  std::lock_guard lock(mutex);
  ++items;
  filled.notify_one();
}

// Somebody may take the item between the signal and the moment in which the woken thread has the lock again.
void take() {
  std::unique_lock lock(mutex);
  if (items == 0) filled.wait(lock);
  assert(items > 0);
  --items;
}

int main() {
  std::thread a(take);
  std::thread b([] {
    put();
    take();
    put();
  });
  a.join();
  b.join();
}
