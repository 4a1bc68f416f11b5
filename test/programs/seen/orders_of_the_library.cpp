// The program's own atomics are sequentially consistent; the counts of shared_ptr are relaxed, and that is the library's
// affair.
// expect: none assumes=nothing
#include <atomic>
#include <memory>
#include <thread>
std::atomic<int> total{0};
int main() {
  auto shared = std::make_shared<int>(1);
  std::thread other([mine = shared] { total += *mine; });
  std::shared_ptr<int> copy = shared;
  shared.reset();
  total.fetch_add(*copy);
  other.join();
}
