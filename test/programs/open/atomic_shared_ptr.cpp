// Readers hold what they loaded, whatever the writer stores meanwhile.
// expect: none
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
