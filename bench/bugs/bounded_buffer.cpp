// One condition variable for those who wait for room and those who wait for items, and one of them woken: it may be of
// the wrong kind, and everybody sleeps.
//
// bug: deadlock
// run: -- -DN=2
// run: -- -DN=4
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#ifndef N
#define N 2
#endif

std::mutex mutex;
std::condition_variable changed;
int items = 0;

void put() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return items < 1; });
  ++items;
  changed.notify_one();
}

void take() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return items > 0; });
  --items;
  changed.notify_one();
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < N; ++i) {
    threads.emplace_back(put);
    threads.emplace_back(take);
  }
  for (std::thread& t : threads) t.join();
}
