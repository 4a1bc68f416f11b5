// A work-stealing queue whose owner takes the last item without competing for it with the thieves.
//
// bug: assertion
// run:
// run: -- -DTHIEVES=3
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#ifndef THIEVES
#define THIEVES 1
#endif

constexpr int kItems = 3;
std::atomic<int> top = 0, bottom = 0, item[kItems], taken[kItems];

void use(int i) { assert(taken[i].fetch_add(1) == 0); }

void push(int i) {
  item[bottom % kItems] = i;
  bottom = bottom + 1;
}

void pop() {
  const int last = bottom - 1;
  bottom = last;
  if (top > last) {
    bottom = last + 1;
    return;
  }
  use(item[last % kItems]);
}

void steal() {
  int first = top;
  if (first >= bottom) return;
  const int i = item[first % kItems];
  if (top.compare_exchange_strong(first, first + 1)) use(i);
}

int main() {
  std::vector<std::thread> threads;
  threads.emplace_back([] {
    for (int i = 0; i < kItems; ++i) push(i);
    for (int i = 0; i < kItems; ++i) pop();
  });
  for (int t = 0; t < THIEVES; ++t) threads.emplace_back(steal);
  for (std::thread& t : threads) t.join();
}
