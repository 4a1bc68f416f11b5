// The consumer may wait or find the flag set: 2 classes by the order of the locks.
// expect: deadlocks=0 verdict=no-bug exhausted=1 classes=2
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable c;
bool ready = false;

int main() {
  std::thread t([] {
    std::unique_lock lock(m);
    c.wait(lock, [] { return ready; });
  });
  {
    std::lock_guard lock(m);
    ready = true;
  }
  c.notify_one();
  t.join();
}
