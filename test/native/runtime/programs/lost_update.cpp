// expect: classes=4 deadlocks=0 verdict=no-bug exhausted=1 asleep=0
#include <atomic>
#include <thread>

std::atomic<int> x{0};

int main() {
  auto body = [] { x.store(x.load() + 1); };
  std::thread a(body), b(body);
  a.join();
  b.join();
}
