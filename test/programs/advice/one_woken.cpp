// pattern: only one waiter woken
// lines: 22
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool closed = false;

void wait() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return closed; });
}

// Everybody has to know, and one is told.
int main() {
  std::thread a(wait), b(wait);
  {
    std::lock_guard lock(mutex);
    closed = true;
    changed.notify_one();
  }
  a.join();
  b.join();
}
