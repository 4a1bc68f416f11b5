// Woken or timed out: both happen, and neither hangs.
// expect: deadlocks=0 verdict=no-bug exhausted=1
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable c;
bool ready = false;

int main() {
  std::thread t([] {
    std::lock_guard lock(m);
    ready = true;
    c.notify_one();
  });
  {
    std::unique_lock lock(m);
    c.wait_for(lock, std::chrono::seconds(1), [] { return ready; });
  }
  t.join();
}
