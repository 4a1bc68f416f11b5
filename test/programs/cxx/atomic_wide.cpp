// Sixteen bytes at once.
// flags: -latomic -mcx16
// expect: none
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

struct Pair {
  std::uint64_t first, second;
};
std::atomic<Pair> pair{Pair{0, 0}};

void advance() {
  Pair old = pair.load();
  while (!pair.compare_exchange_weak(old, Pair{old.first + 1, old.second + 1})) {
  }
}

int main() {
  std::thread a(advance);
  std::thread b(advance);
  a.join();
  b.join();
  const Pair last = pair.load();
  assert(last.first == 2 && last.second == 2);
}
