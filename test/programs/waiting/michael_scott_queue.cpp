// The queue of Michael and Scott: two put, one waits until it has both. The bug: the new node is linked without
// comparing.
// expect: none classes=208
// expect: -D BUG=1 livelock
// algorithms: source-dpor unfolding contextual-unfolding
// (dpor, which has no sleep sets, needs more than a million executions.)
// counts: spinning
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  int value = 0;
  std::atomic<Node*> next{nullptr};
};
Node nodes[3];
std::atomic<Node*> head{&nodes[0]}, tail{&nodes[0]};

void put(Node* node, int value) {
  node->value = value;
  for (;;) {
    Node* last = tail.load();
    Node* next = last->next.load();
    if (next) {
      tail.compare_exchange_strong(last, next);
      continue;
    }
#ifdef BUG
    last->next.store(node);
#else
    if (!last->next.compare_exchange_strong(next, node)) continue;
#endif
    tail.compare_exchange_strong(last, node);
    return;
  }
}

int take() {
  for (;;) {
    Node* first = head.load();
    Node* last = tail.load();
    Node* next = first->next.load();
    if (!next) continue;
    if (first == last) {
      tail.compare_exchange_strong(last, next);
      continue;
    }
    const int value = next->value;
    if (head.compare_exchange_strong(first, next)) return value;
  }
}

int main() {
  std::thread one([] { put(&nodes[1], 1); });
  std::thread other([] { put(&nodes[2], 2); });
  std::thread taker([] { assert(take() + take() == 3); });
  one.join();
  other.join();
  taker.join();
}
