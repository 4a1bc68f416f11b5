// One writer and 13 readers that also write: x[i] = 1 by reader i, reader reads y; 2^13 orders.
// expect: classes=8192 deadlocks=0 verdict=no-bug exhausted=1 asleep=0
#include <atomic>
#include <thread>

std::atomic<int> y{0};

int main() {
  std::thread t[14];
  t[0] = std::thread([] { y.store(1); });
  for (int i = 1; i < 14; ++i) t[i] = std::thread([] { y.load(); });
  for (auto& u : t) u.join();
}
