// The queue of Michael and Scott: two or three put, one waits until it has all. The bug: the new node is linked without
// comparing.
// expect: none classes=208
// slow: -D PUTTERS=3 none classes=179664
// expect: -D BUG=1 livelock
// algorithms: source-dpor unfolding contextual-unfolding
// counts: spinning
// (dpor, which has no sleep sets, needs more than a million executions.)
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  int value = 0;
  std::atomic<Node*> next{nullptr};
};
#ifndef PUTTERS
#define PUTTERS 2
#endif
Node nodes[PUTTERS + 1];
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
  std::thread putter[PUTTERS];
  for (int i = 0; i < PUTTERS; ++i) putter[i] = std::thread([i] { put(&nodes[i + 1], i + 1); });
  std::thread taker([] {
    int sum = 0;
    for (int i = 0; i < PUTTERS; ++i) sum += take();
    assert(sum == PUTTERS * (PUTTERS + 1) / 2);
  });
  for (std::thread& thread : putter) thread.join();
  taker.join();
}
