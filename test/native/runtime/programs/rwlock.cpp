// expect: deadlocks=0 verdict=no-bug exhausted=1
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex m;
int x;

int main() {
  std::thread w([] {
    std::unique_lock lock(m);
    x = 1;
  });
  auto read = [] {
    std::shared_lock lock(m);
    volatile int y = x;
    (void)y;
  };
  std::thread a(read), b(read);
  w.join();
  a.join();
  b.join();
}
