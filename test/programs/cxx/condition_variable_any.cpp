// A condition variable over any lock, with a timed wait.
// expect: none
#include <chrono>
#include <condition_variable>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
std::condition_variable_any changed;
bool ready = false;

int main() {
  std::thread waiter([] {
    std::shared_lock lock(mutex);
    changed.wait_for(lock, std::chrono::seconds(1), [] { return ready; });
  });
  {
    std::unique_lock lock(mutex);
    ready = true;
  }
  changed.notify_all();
  waiter.join();
}
