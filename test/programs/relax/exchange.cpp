// A compare-exchange with orders of its own for failure, which --relax leaves as they are.
// expect: --memory=c++20 none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> state{0};
static int data;
static void publish() {
  data = 1;
  state.store(1);
}

static void take() {
  int expected = 1;
  if (state.compare_exchange_strong(expected, 2, std::memory_order_seq_cst, std::memory_order_relaxed)) assert(data == 1);
}

int main() {
  std::thread other(take);
  publish();
  other.join();
}
