// A shared pointer in an atomic: the lock in it is libstdc++'s own affair, relaxed stores and all; what the pointers point
// to is the program's.
// flags: -std=c++20
// counts: optimiser
// expect: none
// expect: -D CHANGED=1 data-race
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

#ifndef CHANGED
#define CHANGED 0
#endif

std::atomic<std::shared_ptr<int>> current{std::make_shared<int>(1)};

int main() {
  std::thread other([] {
    if (CHANGED) *current.load() = 3;
    current.store(std::make_shared<int>(2));
  });
  const std::shared_ptr<int> seen = current.load();
  assert(*seen > 0);
  other.join();
  assert(*current.load() == 2);
}
