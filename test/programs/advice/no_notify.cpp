// pattern: missing notify
// lines: 14
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool done = false;

int main() {
  std::thread waiter([] {
    std::unique_lock lock(mutex);
    while (!done) changed.wait(lock);
  });
  {
    std::lock_guard lock(mutex);
    done = true;
  }
  waiter.join();
}
