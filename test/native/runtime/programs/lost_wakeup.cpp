// The flag is set without the mutex: the notification can fall between the test and the wait.
// expect: verdict=bug finding:deadlock=1
// options: --all
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable c;
std::atomic<bool> ready{false};

int main() {
  std::thread t([] {
    std::unique_lock lock(m);
    if (!ready.load()) c.wait(lock);
  });
  ready.store(true);
  c.notify_one();
  t.join();
}
