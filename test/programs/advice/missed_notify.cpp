// pattern: lost wake-up
// lines: 13 20
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
std::atomic<bool> done{false};

// Between the look at `done` and the wait.
void finish() { done = true, changed.notify_one(); }

int main() {
  std::thread other(finish);
  {
    std::unique_lock lock(mutex);
    // That it is atomic does not help.
    while (!done) changed.wait(lock);
  }
  other.join();
}
