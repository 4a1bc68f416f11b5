// A Michael-Scott queue that frees the old dummy node at once, while another dequeue may still be looking at it.
// Heddle stops at the first finding, the race between the delete and the read; with --all it reports the use after free.
// expect: data-race
// expect: --all data-race use-after-free
// pre-emptions: 1
#include <atomic>
#include <cassert>
#include <optional>
#include <thread>

template <class T>
class Queue {
 public:
  Queue() : head_(new Node), tail_(head_.load()) {}
  ~Queue() {
    while (dequeue()) {
    }
    delete head_.load();
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
          delete first;
          return value;
        }
      }
    }
  }

 private:
  struct Node {
    T value{};
    std::atomic<Node*> next{nullptr};
  };

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
