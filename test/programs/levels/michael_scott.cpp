// A queue of Michael and Scott, two threads that enqueue and one that dequeues: nothing but atomics, and the same ones at
// every level.
// expect: --all none
#include <atomic>
#include <thread>

struct Node {
  int value = 0;
  std::atomic<Node*> next{nullptr};
};

struct Queue {
  Node dummy;
  std::atomic<Node*> head{&dummy}, tail{&dummy};

  void enqueue(Node* node) {
    for (;;) {
      Node* last = tail.load();
      Node* next = last->next.load();
      if (last != tail.load()) continue;
      if (next == nullptr) {
        if (last->next.compare_exchange_strong(next, node)) {
          tail.compare_exchange_strong(last, node);
          return;
        }
      } else {
        tail.compare_exchange_strong(last, next);
      }
    }
  }

  bool dequeue(int& value) {
    for (;;) {
      Node* first = head.load();
      Node* last = tail.load();
      Node* next = first->next.load();
      if (first != head.load()) continue;
      if (first == last) {
        if (next == nullptr) return false;
        tail.compare_exchange_strong(last, next);
      } else {
        value = next->value;
        if (head.compare_exchange_strong(first, next)) return true;
      }
    }
  }
};

Queue queue;
#ifndef N
#define N 2
#endif
Node node[N];

int main() {
  std::thread t[N];
  for (int i = 0; i < N; ++i)
    t[i] = std::thread([i] {
      node[i].value = i + 1;
      queue.enqueue(&node[i]);
    });
  int value = 0;
  if (queue.dequeue(value) && (value < 1 || value > N)) return 1;
  for (auto& thread : t) thread.join();
}
