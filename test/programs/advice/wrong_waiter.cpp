// pattern: wrong waiter woken
// lines: 24
#include <condition_variable>
#include <mutex>
#include <thread>

// One condition variable for those who wait for an item and those who wait for room: a signal meant for one may wake the other.
std::mutex mutex;
std::condition_variable changed;
int items = 0;
constexpr int kRoom = 1;

void put() {
  std::unique_lock lock(mutex);
  while (items == kRoom) changed.wait(lock);
  ++items;
  changed.notify_one();
}

void take() {
  std::unique_lock lock(mutex);
  while (items == 0) changed.wait(lock);
  --items;
  changed.notify_one();
}

int main() {
  std::thread a(take), b(take), c([] {
    put();
    put();
  });
  a.join();
  b.join();
  c.join();
}
