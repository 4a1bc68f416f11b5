// A Treiber stack over a pool of nodes. A pop reads top and the node below it, is pre-empted, and its compare-exchange
// succeeds although everything has changed in between: top is the same node again, but the node below it now belongs to
// somebody else. The ABA problem.
// expect: assertion
// pre-emptions: 1
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kNone = -1;

struct Node {
  std::atomic<int> next{kNone};
  std::atomic<bool> in_use{false};
};

std::array<Node, 3> nodes;
std::atomic<int> top{kNone};

void push(int node) {
  nodes[node].in_use = false;
  int old = top;
  do {
    nodes[node].next = old;
  } while (!top.compare_exchange_weak(old, node));
}

int pop() {
  int old = top;
  while (old != kNone && !top.compare_exchange_weak(old, nodes[old].next)) {
  }
  if (old != kNone) {
    const bool taken = nodes[old].in_use.exchange(true);
    assert(!taken && "a node that somebody holds was on the stack");
  }
  return old;
}

int main() {
  push(1);
  push(0);   // the stack is 0, 1
  std::thread reader([] {
    pop();
    pop();
  });
  std::thread recycler([] {
    const int first = pop();
    pop();
    if (first != kNone) push(first);
  });
  reader.join();
  recycler.join();
}
