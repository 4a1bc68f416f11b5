// The waiting loop is explored once before and once after the flag is set, not for ever.
// expect: verdict=no-bug exhausted=1 cut=0 classes=1 infeasible=1
#include <atomic>
#include <thread>

std::atomic<int> flag{0};
int data;

int main() {
  std::thread t([] {
    while (flag.load(std::memory_order_acquire) == 0) {
    }
    data++;
  });
  data = 1;
  flag.store(1, std::memory_order_release);
  t.join();
}
