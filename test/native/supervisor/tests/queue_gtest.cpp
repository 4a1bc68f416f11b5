// GoogleTest as anybody writes it; tests_test.py explores each TEST on its own.
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>

class Counter : public ::testing::Test {
 protected:
  void add(int times) {
    for (int i = 0; i < times; ++i) value = value + 1;
  }
  void add_locked() {
    std::lock_guard lock(mutex);
    value = value + 1;
  }
  std::atomic<int> value{0};
  std::mutex mutex;
};

TEST_F(Counter, LosesAnUpdate) {
  std::thread a([&] { add(1); }), b([&] { add(1); });
  a.join();
  b.join();
  EXPECT_EQ(value, 2);
}

TEST_F(Counter, CountsUnderALock) {
  std::thread a([&] { add_locked(); }), b([&] { add_locked(); });
  a.join();
  b.join();
  EXPECT_EQ(value, 2);
}

TEST(Thrower, Throws) { throw std::runtime_error("out of paper"); }

TEST(Skipper, Skips) { GTEST_SKIP() << "not today"; }

class Times : public ::testing::TestWithParam<int> {};
TEST_P(Times, IsPositive) { EXPECT_GT(GetParam(), 0); }
INSTANTIATE_TEST_SUITE_P(Some, Times, ::testing::Values(1, 2));
