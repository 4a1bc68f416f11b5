// A thread that looks once and then waits is wrong: a wait may return though nobody has notified. With a loop, or a
// predicate, it is right, and has as many classes as without spurious wake-ups.
// expect: assertion
// expect: --all assertion classes=4 failed=1
// expect: --algorithm=source-dpor assertion
// expect: --algorithm=unfolding assertion
// expect: --spurious=off none classes=2
// expect: -D LOOKS=2 none classes=2
// expect: -D LOOKS=3 none classes=2
// expect: -D LOOKS=2 --algorithm=source-dpor none classes=2
// expect: -D LOOKS=2 --spurious=off none classes=2
// expect: -D LOOKS=4 --spurious=3 assertion
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#ifndef LOOKS
#define LOOKS 1
#endif

static std::mutex mutex;
static std::condition_variable changed;
static bool ready = false;

static void wait_for_change(std::unique_lock<std::mutex> &lock) { changed.wait(lock); }

int main() {
  std::thread other([] {
    std::lock_guard lock(mutex);
    ready = true;
    changed.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    if (LOOKS == 1 && !ready) wait_for_change(lock);
    while (LOOKS == 2 && !ready) wait_for_change(lock);
    if (LOOKS == 3) changed.wait(lock, [] { return ready; });
    // Not so often that it would do.
    for (int i = 0; LOOKS == 4 && i < 3 && !ready; ++i) wait_for_change(lock);
    assert(ready);
  }
  other.join();
}
