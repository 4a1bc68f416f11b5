// expect: verdict=bug classes=2 failed=1 finding:assertion=1
// options: --all --test=second
#include <atomic>
#include <heddle/heddle.h>
#include <thread>

std::atomic<int> x{0};

HEDDLE_TEST(first) { heddle_assert(x == 0); }

HEDDLE_TEST(second) {
  std::thread t([] { x.store(1); });
  const int seen = x.load();
  t.join();
  heddle_assert(seen == 1);
}

int main() { return 1; }
