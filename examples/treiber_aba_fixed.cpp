// The top carries a version that grows with every change, so an old top is not mistaken for the new one.
// expect: none
#include <array>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

constexpr std::int32_t kNone = -1;

struct Top {
  std::int32_t node;
  std::uint32_t version;
};

struct Node {
  std::atomic<std::int32_t> next{kNone};
  std::atomic<bool> in_use{false};
};

std::array<Node, 3> nodes;
std::atomic<Top> top{Top{kNone, 0}};

void push(std::int32_t node) {
  nodes[node].in_use = false;
  Top old = top;
  do {
    nodes[node].next = old.node;
  } while (!top.compare_exchange_weak(old, {node, old.version + 1}));
}

std::int32_t pop() {
  Top old = top;
  while (old.node != kNone && !top.compare_exchange_weak(old, {nodes[old.node].next, old.version + 1})) {
  }
  if (old.node != kNone) {
    const bool taken = nodes[old.node].in_use.exchange(true);
    assert(!taken && "a node that somebody holds was on the stack");
  }
  return old.node;
}

int main() {
  push(1);
  push(0);   // the stack is 0, 1
  std::thread reader([] {
    pop();
    pop();
  });
  std::thread recycler([] {
    const std::int32_t first = pop();
    pop();
    if (first != kNone) push(first);
  });
  reader.join();
  recycler.join();
}
