// A lock-free free list without a version: a node that was taken and given back in between makes a pop go wrong (ABA).
//
// bug: assertion
// run:
// run: -- -DOTHERS=3
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#ifndef OTHERS
#define OTHERS 1
#endif

constexpr int kNone = -1;
std::atomic<int> head = 0, next[3] = {1, 2, kNone}, owners[3];

int pop() {
  int first = head;
  while (first != kNone && !head.compare_exchange_strong(first, next[first])) {
  }
  if (first != kNone) assert(owners[first].fetch_add(1) == 0);
  return first;
}

void push(int node) {
  --owners[node];
  int first = head;
  do next[node] = first;
  while (!head.compare_exchange_strong(first, node));
}

int main() {
  std::vector<std::thread> threads;
  threads.emplace_back([] {
    pop();
    pop();
  });
  for (int i = 0; i < OTHERS; ++i)
    threads.emplace_back([] {
      const int one = pop();
      const int two = pop();
      if (one != kNone) push(one);
      (void)two;
    });
  for (std::thread& t : threads) t.join();
}
