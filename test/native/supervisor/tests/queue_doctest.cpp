// The tests of doctest, of which one fails in some interleaving.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <thread>

TEST_CASE("loses an update, now and then") {
  std::atomic<int> x{0};
  const auto add = [&] { x = x + 1; };
  std::thread a(add), b(add);
  a.join();
  b.join();
  REQUIRE(x == 2);
}

TEST_CASE("counts under a lock") {
  std::mutex m;
  int x = 0;
  const auto add = [&] {
    const std::lock_guard lock(m);
    ++x;
  };
  std::thread a(add), b(add);
  a.join();
  b.join();
  REQUIRE(x == 2);
}
