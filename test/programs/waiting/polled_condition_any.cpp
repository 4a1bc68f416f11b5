// The same with std::condition_variable_any, which has a lock of its own and counts references to it.
// expect: --max-steps=300 none classes=8
// expect: --max-steps=300 -D BUG=1 livelock
// algorithms: every
// exempt: gcc
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::mutex lock;
std::condition_variable_any changed;
bool done;
int value;

int main() {
  std::thread worker([] {
    {
      std::lock_guard held(lock);
      value = 1;
#ifndef BUG
      done = true;
#endif
    }
    changed.notify_one();
  });
  {
    std::unique_lock held(lock);
    while (!done) changed.wait_until(held, std::chrono::system_clock::now() + 10ms);
    assert(value == 1);
  }
  worker.join();
}
