// Store buffering by release and acquire: right under sequential consistency only, and the verdict says so, with the
// places. What is done before there are threads is no reason, what shared_ptr does inside is not the program's.
// By default it is explored under c++20; --races=ignore does not go with that.
// expect: --memory=sc none classes=3 assumes=sequential-consistency@16,18
// expect: --races=ignore none assumes=sequential-consistency@16,18
// expect: --all assertion classes=4
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
std::atomic<int> raised[2];
int main() {
  raised[0].store(0, std::memory_order_relaxed);
  bool entered[2] = {};
  const auto other = [&](int me) {
    raised[me].store(1, std::memory_order_release);
    int seen =
        raised[1 - me].load(std::memory_order_acquire);
    entered[me] = seen == 0;
  };
  std::thread first(other, 0), second(other, 1);
  first.join();
  second.join();
  assert(!(entered[0] && entered[1]));
}
