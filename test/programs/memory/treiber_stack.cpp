// A stack of nodes whose top is exchanged. A node is written plainly and then published: with release, or who takes it need
// not see what is in it.
// expect: --memory=c++20 --all data-race assertion stronger=23:release
// expect: --memory=c++20 -D FIXED=1 none
#include <atomic>
#include <cassert>
#include <thread>

#ifdef FIXED
constexpr auto kPublish = std::memory_order_release;
#else
constexpr auto kPublish = std::memory_order_relaxed;
#endif

struct Node {
  int value;
  Node* next;
};
static std::atomic<Node*> top{nullptr};

static void push(int value) {
  Node* node = new Node{value, top.load(std::memory_order_relaxed)};
  while (!top.compare_exchange_strong(node->next, node, kPublish, std::memory_order_relaxed)) {
  }
}

static Node* pop() {
  Node* node = top.load(std::memory_order_acquire);
  while (node != nullptr &&
         !top.compare_exchange_strong(node, node->next, std::memory_order_acquire, std::memory_order_acquire)) {
  }
  return node;
}

int main() {
  std::thread pusher([] {
    push(1);
    push(2);
  });
  Node* node = pop();
  if (node != nullptr) assert(node->value == 1 || node->value == 2);
  pusher.join();
}
