// Work is to be done once for each key; whether it was done is looked up under one lock of several, chosen by the wrong
// number.
//
// bug: assertion
// run: -- -DN=2
// run: -- -DN=10
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#ifndef N
#define N 2
#endif

constexpr int kLocks = 2;
std::mutex locks[kLocks];
std::atomic<int> done[4], work[4];

void ensure(int caller, int key) {
  std::lock_guard lock(locks[caller % kLocks]);
  if (done[key] == 0) {
    assert(work[key].fetch_add(1) == 0);
    done[key] = 1;
  }
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < N; ++i) threads.emplace_back(ensure, i, 1);
  for (std::thread& t : threads) t.join();
}
