// A thread that looks at the locals of another one, not of main's, depends on what no key has: nothing is followed.
// followed: 0 of 63
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x{0};
std::atomic<long*> handed{nullptr};

int main() {
  std::thread a([] {
    long mine = 0;
    handed = &mine;
    x = x + 1;
    x = x + 1;
    while (x < 100) {
    }
    assert(mine < 3);
  });
  std::thread b([] {
    x = x + 1;
    if (long* theirs = handed) *theirs = x;
    x = 100;
  });
  a.join();
  b.join();
}
