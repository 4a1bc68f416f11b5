// Each thread constructs and destroys its own.
// expect: none
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> alive{0}, born{0};
struct Own {
  int uses = 0;
  Own() { ++alive, ++born; }
  ~Own() { --alive; }
};
thread_local Own own;

void use() {
  ++own.uses;
  assert(own.uses == 1);
}

int main() {
  std::thread a(use);
  std::thread b(use);
  a.join();
  b.join();
  assert(alive == 0 && born == 2);
}
