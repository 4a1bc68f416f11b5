// pattern:
// A predicate loop that is right, and a bug elsewhere: the loop is not to blame.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
int ready = 0;
int results = 0;

int main() {
  std::thread worker([] {
    std::unique_lock lock(mutex);
    while (ready == 0) changed.wait(lock);
    results = ready * 10;
  });
  std::thread other([] {
    std::lock_guard lock(mutex);
    ready = 2;
    changed.notify_all();
  });
  {
    std::lock_guard lock(mutex);
    ready = 1;
    changed.notify_all();
  }
  worker.join();
  other.join();
  assert(results == 10);
}
