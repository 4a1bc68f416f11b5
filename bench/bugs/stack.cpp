// A stack that is asked whether it is empty, and then popped: two calls, each of them locked.
//
// bug: assertion
// run:
// run: -- -DPOPPERS=6
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#ifndef POPPERS
#define POPPERS 2
#endif

struct Stack {
  std::mutex mutex;
  int top = 0;
  int items[16] = {};

  bool empty() {
    std::lock_guard lock(mutex);
    return top == 0;
  }
  void push(int item) {
    std::lock_guard lock(mutex);
    items[top++] = item;
  }
  int pop() {
    std::lock_guard lock(mutex);
    assert(top > 0);
    return items[--top];
  }
};

int main() {
  Stack stack;
  for (int i = 0; i + 1 < POPPERS; ++i) stack.push(i);
  std::vector<std::thread> threads;
  for (int i = 0; i < POPPERS; ++i)
    threads.emplace_back([&] {
      if (!stack.empty()) stack.pop();
    });
  for (std::thread& t : threads) t.join();
}
