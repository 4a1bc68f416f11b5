// What is not modelled under a memory model is said, with its place.
// expect: --memory=c++20 inconclusive "reason=accesses of different sizes"
// expect: --memory=c++20 -D KIND=1 inconclusive "reason=the process ends while threads may be running"
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <thread>

#ifndef KIND
#define KIND 0
#endif

static std::uint64_t word;

int main() {
  std::thread other([] { __atomic_store_n(&word, 1, __ATOMIC_RELEASE); });
  if (KIND == 1) {
    other.detach();
    std::quick_exit(0);
  }
  __atomic_load_n(reinterpret_cast<std::uint32_t*>(&word), __ATOMIC_ACQUIRE);
  other.join();
}
