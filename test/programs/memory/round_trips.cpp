// Who waits takes what it waits for in vain, looks until it is free, and finds it taken again: nested loops whose turns leave the
// thread where it was, but have found different things. They are no turns in vain, wherever in the order of stores the accesses are.
// Everything is sequentially consistent, so all models have the same executions.
// expect: --memory=sc none classes=52
// expect: --algorithm=trust none classes=52
// expect: --memory=tso none classes=52
// expect: --memory=c++20 none classes=52
// counts: optimiser
#include <atomic>
#include <thread>

static std::atomic<int> taken{0};

static void take_and_give_back() {
  taken = 1;
  taken = 0;
}

static void wait() {
  while (taken.exchange(1)) {
    while (taken.load()) {
    }
  }
}

int main() {
  std::thread waiter(wait), first(take_and_give_back), second(take_and_give_back);
  waiter.join();
  first.join();
  second.join();
}
