// Timed locks of every kind: they time out only while somebody else holds the lock.
// expect: none
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

std::recursive_timed_mutex recursive;
std::shared_timed_mutex shared;
int x = 0;

int main() {
  std::thread a([] {
    std::unique_lock lock(recursive, 1ms);
    if (!lock) return;
    std::unique_lock again(recursive, 1ms);
    assert(again.owns_lock());
    ++x;
  });
  std::thread b([] {
    std::shared_lock lock(shared, 1ms);
    assert(lock.owns_lock());   // there are only readers
  });
  {
    std::shared_lock lock(shared, std::chrono::steady_clock::now() + 1ms);
    assert(lock.owns_lock());
    std::unique_lock other(recursive, std::chrono::steady_clock::now() + 1ms);
    if (other) ++x;
  }
  a.join();
  b.join();
  assert(x == 1 || x == 2);
}
