// test_and_set picks one winner; wait and notify on a flag.
// expect: none
// counts: spinning
#include <atomic>
#include <cassert>
#include <thread>

std::atomic_flag taken = ATOMIC_FLAG_INIT, finished = ATOMIC_FLAG_INIT;
std::atomic<int> winners{0};

int main() {
  std::thread other([] {
    if (!taken.test_and_set()) ++winners;
    finished.test_and_set();
    finished.notify_all();
  });
  if (!taken.test_and_set()) ++winners;
  finished.wait(false);
  other.join();
  assert(winners == 1);
}
