// Three tests and no main.
#include <heddle/heddle.hpp>

#include <atomic>
#include <thread>

std::atomic<int> x{0};

HEDDLE_TEST(starts_at_zero) { heddle_assert(x == 0); }

HEDDLE_TEST(may_be_seen_early) {
  std::thread t([] { x.store(1); });
  const int seen = x.load();
  t.join();
  heddle_assert(seen == 1);
}

HEDDLE_TEST(is_seen_in_the_end) {
  std::thread t([] { x.store(1); });
  t.join();
  heddle_assert(x == 1);
}
