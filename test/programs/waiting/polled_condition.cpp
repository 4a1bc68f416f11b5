// Waits for a condition variable again and again for a time: timeouts in vain are no classes of their own, but the first two,
// between which much time passes, as there might be a deadline. The bug: the flag is set before what it stands for.
// expect: none classes=6
// expect: -D BUG=1 assertion
// algorithms: every
// exempt: gcc
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::mutex lock;
std::condition_variable changed;
bool done;
int value;

static void work() {
#ifdef BUG
  {
    std::lock_guard held(lock);
    done = true;
  }
  changed.notify_one();
  std::lock_guard held(lock);
  value = 1;
#else
  {
    std::lock_guard held(lock);
    value = 1;
    done = true;
  }
  changed.notify_one();
#endif
}

int main() {
  std::thread worker(work);
  {
    std::unique_lock held(lock);
    while (!done) changed.wait_for(held, 10ms);
    assert(value == 1);
  }
  worker.join();
}
