// Floating-point addition is a loop around a compare-exchange.
// expect: none
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<double> sum{0.0};

int main() {
  std::thread a([] { sum += 1.5; });
  std::thread b([] { sum += 2.0; });
  a.join();
  b.join();
  assert(sum == 3.5);
}
