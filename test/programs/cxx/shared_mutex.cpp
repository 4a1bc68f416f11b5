// Readers see both values or neither.
// expect: classes=14 none
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
int x = 0, y = 0;

void look() {
  std::shared_lock lock(mutex);
  assert(x == y);
}

int main() {
  std::thread a(look);
  std::thread b(look);
  std::thread c([] {
    std::unique_lock lock(mutex);
    ++x;
    ++y;
  });
  a.join();
  b.join();
  c.join();
}
