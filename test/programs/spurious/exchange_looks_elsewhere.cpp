// The turn of an exchange looks at a flag, too: a failure for no reason is no idle turn while it is set.
// expect: --all none assumes=no-spurious-wake-ups
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> references{1};
std::atomic<bool> closing;

bool take() {
  int n = references.load();
  while (!references.compare_exchange_weak(n, n + 1))
    if (closing.load()) return false;
  return true;
}

int main() {
  bool taken = false;
  std::thread taker([&] { taken = take(); });
  std::thread closer([] { closing = true; });
  taker.join();
  closer.join();
  assert(taken);
}
