// Waiting on an atomic goes through the futex system call.
// expect: verdict=no-bug exhausted=1 deadlocks=0
#include <atomic>
#include <thread>

std::atomic<int> x{0};

int main() {
  std::thread t([] { x.wait(0); });
  x.store(1);
  x.notify_one();
  t.join();
}
