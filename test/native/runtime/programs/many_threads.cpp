// expect: verdict=no-bug exhausted=1 classes=1
#include <atomic>
#include <thread>
#include <vector>

std::atomic<int> x[64];

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 64; ++i) threads.emplace_back([i] { x[i].store(1); });
  for (auto& t : threads) t.join();
}
