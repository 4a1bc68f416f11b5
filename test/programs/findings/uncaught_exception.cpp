// An exception leaves a thread's function in one of two orders.
// expect: uncaught-exception
#include <atomic>
#include <stdexcept>
#include <thread>

std::atomic<int> x{0};

int main() {
  std::thread writer([] { x = 1; });
  std::thread thrower([] {
    if (x == 1) throw std::runtime_error("x is set");
  });
  writer.join();
  thrower.join();
}
