// Readers hold what they loaded, whatever the writer stores meanwhile. The data race is libstdc++'s own, in versions that
// do not hide it from ThreadSanitizer (its load() unlocks with memory_order_relaxed, so the pointer it has read is not
// ordered before the next store's write of it; google/sanitizers#1558). It does no harm: see the second line.
// expect: data-race
// expect: --races=explore none
// counts: spinning
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

std::atomic<std::shared_ptr<int>> current;

int main() {
  current = std::make_shared<int>(1);
  std::thread reader([] {
    const std::shared_ptr<int> held = current.load();
    assert(*held == 1 || *held == 2);
  });
  current = std::make_shared<int>(2);
  reader.join();
  assert(*current.load() == 2);
}
