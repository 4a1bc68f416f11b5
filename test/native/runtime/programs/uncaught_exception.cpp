// expect: verdict=bug finding:uncaught-exception=1 classes=2 failed=1
// options: --all
#include <atomic>
#include <stdexcept>
#include <thread>

std::atomic<int> x{0};

int main() {
  std::thread t([] {
    if (x.load() == 1) throw std::runtime_error("saw it");
  });
  x.store(1);
  t.join();
}
