// Locks and condition variables on the heap whose last user frees them, which is right.
// expect: --all none assumes=nothing
#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>

struct Shared {
  std::mutex mutex;
  std::shared_mutex readers;
  int value = 0;
};

int main() {
  auto shared = std::make_shared<Shared>();
  std::thread other([shared]() mutable {
    {
      std::lock_guard lock(shared->mutex);
      ++shared->value;
    }
    { std::shared_lock lock(shared->readers); }
    shared.reset();
  });
  {
    std::lock_guard lock(shared->mutex);
    ++shared->value;
  }
  shared.reset();
  other.join();
}
