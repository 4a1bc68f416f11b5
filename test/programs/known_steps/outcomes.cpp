// Followed and run executions end alike: assertions that fail in some, deadlocks, threads' results and result slots that main
// looks at when it has joined them.
// followed: 12 of 364
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::atomic<int> x{0}, y{0};
std::mutex a, b;
long slot[2];

int main() {
  std::thread first([] {
    for (int i = 0; i < 2; ++i) x = x + 1;
    std::scoped_lock one(a);
    y = y + x;
    std::lock_guard two(b);
    slot[0] = 1;
  });
  std::thread second([] {
    for (int i = 0; i < 2; ++i) x = x + 1;
    std::lock_guard one(b);
    y = y + x;
    std::lock_guard two(a);
    slot[1] = 2;
  });
  first.join();
  second.join();
  assert(slot[0] + slot[1] == 3);
  assert(x == 4);
}
