// std::scoped_lock takes two mutexes in whatever order without deadlock.
// expect: none
#include <cassert>
#include <mutex>
#include <thread>

std::mutex left, right;
int x = 0;

int main() {
  std::thread a([] {
    std::scoped_lock lock(left, right);
    ++x;
  });
  std::thread b([] {
    std::scoped_lock lock(left, right);
    ++x;
  });
  a.join();
  b.join();
  assert(x == 2);
}
