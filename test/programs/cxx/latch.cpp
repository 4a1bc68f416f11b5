// Main waits until both have counted down.
// expect: none
// counts: spinning
#include <atomic>
#include <cassert>
#include <latch>
#include <thread>

int main() {
  std::latch done(2);
  std::atomic<int> x{0};
  std::jthread a([&] { ++x; done.count_down(); });
  std::jthread b([&] { ++x; done.count_down(); });
  done.wait();
  assert(x == 2);
}
