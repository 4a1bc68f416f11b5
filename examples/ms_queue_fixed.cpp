// Nodes that were dequeued are kept until the queue goes: nobody can be looking at them then.
// expect: none
#include <atomic>
#include <cassert>
#include <optional>
#include <thread>
#include <utility>

template <class T>
class Queue {
 public:
  Queue() : head_(new Node), tail_(head_.load()) {}
  ~Queue() {
    while (dequeue()) {
    }
    delete head_.load();
    for (Node* node = retired_; node != nullptr;) delete std::exchange(node, node->retired_below);
  }

  void enqueue(T value) {
    Node* node = new Node{value};
    for (;;) {
      Node* last = tail_;
      Node* next = last->next;
      if (next != nullptr) {
        tail_.compare_exchange_strong(last, next);   // help a slower one
      } else if (last->next.compare_exchange_strong(next, node)) {
        tail_.compare_exchange_strong(last, node);
        return;
      }
    }
  }

  std::optional<T> dequeue() {
    for (;;) {
      Node* first = head_;
      Node* last = tail_;
      Node* next = first->next;
      if (next == nullptr) return std::nullopt;
      if (first == last) {
        tail_.compare_exchange_strong(last, next);
      } else {
        const T value = next->value;
        if (head_.compare_exchange_strong(first, next)) {
          retire(first);
          return value;
        }
      }
    }
  }

 private:
  struct Node {
    T value{};
    std::atomic<Node*> next{nullptr};
    Node* retired_below = nullptr;
  };

  void retire(Node* node) {
    node->retired_below = retired_;
    while (!retired_.compare_exchange_weak(node->retired_below, node)) {
    }
  }

  std::atomic<Node*> retired_{nullptr};
  std::atomic<Node*> head_;
  std::atomic<Node*> tail_;
};

int main() {
  Queue<int> queue;
  queue.enqueue(1);
  queue.enqueue(2);
  std::optional<int> first, second;
  std::thread a([&] { first = queue.dequeue(); });
  std::thread b([&] { second = queue.dequeue(); });
  a.join();
  b.join();
  assert(first && second && *first + *second == 3);
}
