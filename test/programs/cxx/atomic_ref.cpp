// Atomic references to plain memory.
// expect: classes=2 none
#include <atomic>
#include <cassert>
#include <thread>

int x = 0;

void add() { std::atomic_ref(x).fetch_add(1); }

int main() {
  std::thread a(add);
  std::thread b(add);
  a.join();
  b.join();
  assert(x == 2);
}
