// Both halves of a word are released separately, and acquired together: what either half publishes is seen.
// Execution graphs have no accesses of different sizes: the answer is that of the interleavings.
// expect: none assumes=sequential-consistency
// expect: --algorithm=exhaustive none
#include <cassert>
#include <cstdint>
#include <thread>

struct alignas(8) Halves {
  std::uint32_t low, high;
};
Halves halves;
int behind_low = 0, behind_high = 0;

int main() {
  std::thread low([] {
    behind_low = 1;
    __atomic_store_n(&halves.low, 1, __ATOMIC_RELEASE);
  });
  std::thread high([] {
    behind_high = 1;
    std::uint32_t expected = 0;
    __atomic_compare_exchange_n(&halves.high, &expected, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  });
  const auto both = __atomic_load_n(reinterpret_cast<std::uint64_t*>(&halves), __ATOMIC_ACQUIRE);
  if (both == 0x100000001) assert(behind_low == 1 && behind_high == 1);
  low.join();
  high.join();
}
