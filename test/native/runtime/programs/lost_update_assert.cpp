// expect: classes=4 failed=2 verdict=bug exhausted=1 finding:assertion=1
// options: --all
#include <assert.h>
#include <atomic>
#include <thread>

std::atomic<int> x{0};

int main() {
  auto body = [] { x.store(x.load() + 1); };
  std::thread a(body), b(body);
  a.join();
  b.join();
  assert(x == 2);
}
