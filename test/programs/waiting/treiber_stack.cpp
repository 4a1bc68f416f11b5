// Treiber's stack with a pop that waits while it is empty. The bug: pop takes the top without comparing.
// expect: none classes=16
// expect: -D BUG=1 livelock
// algorithms: every
// counts: spinning
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  int value;
  Node* next;
};
std::atomic<Node*> top{nullptr};

void push(Node* node) {
  Node* below = top.load();
  do
    node->next = below;
  while (!top.compare_exchange_strong(below, node));
}

Node* pop() {
  for (;;) {
    Node* node = top.load();
    if (!node) continue;
#ifdef BUG
    top.store(node->next);
    return node;
#else
    if (top.compare_exchange_strong(node, node->next)) return node;
#endif
  }
}

int main() {
  Node nodes[2] = {{1, nullptr}, {2, nullptr}};
  int sum = 0;
  std::thread one([&] { push(&nodes[0]); });
  std::thread other([&] { push(&nodes[1]); });
  std::thread taker([&] { sum = pop()->value + pop()->value; });
  one.join();
  other.join();
  taker.join();
  assert(sum == 3);
}
