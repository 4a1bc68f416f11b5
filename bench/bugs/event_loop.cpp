// Tasks are posted to a loop that sleeps when it has none; the flag that somebody has to wake it is set too late.
//
// bug: deadlock
// run: -- -DTASKS=1
// run: -- -DTASKS=4
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#ifndef TASKS
#define TASKS 1
#endif

std::mutex mutex;
std::condition_variable posted;
std::atomic<int> tasks = 0;
std::atomic<bool> sleeps = false;

void loop() {
  for (int done = 0; done < TASKS;) {
    if (tasks > 0) {
      --tasks;
      ++done;
      continue;
    }
    std::unique_lock lock(mutex);
    sleeps = true;
    posted.wait(lock);
    sleeps = false;
  }
}

void post() {
  ++tasks;
  if (!sleeps) return;
  std::lock_guard lock(mutex);
  posted.notify_one();
}

int main() {
  std::vector<std::thread> threads;
  threads.emplace_back(loop);
  for (int i = 0; i < TASKS; ++i) threads.emplace_back(post);
  for (std::thread& t : threads) t.join();
}
