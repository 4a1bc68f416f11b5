// A timed wait that returns before its time was not necessarily notified.
// expect: assertion
// expect: --spurious=off none classes=4
// expect: -D PREDICATE=1 none classes=4
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool ready = false;

int main() {
  std::thread other([] {
    std::lock_guard lock(mutex);
    ready = true;
    changed.notify_one();
  });
  {
    std::unique_lock lock(mutex);
#ifdef PREDICATE
    const bool notified = changed.wait_for(lock, std::chrono::seconds(1), [] { return ready; });
#else
    const bool notified = ready || changed.wait_for(lock, std::chrono::seconds(1)) == std::cv_status::no_timeout;
#endif
    assert(!notified || ready);
  }
  other.join();
}
