// Waits for a future for a time, as often as it takes. The bug: the promise is not kept while anybody waits.
// expect: none
// expect: -D BUG=1 livelock
// algorithms: every
// exempt: gcc
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

using namespace std::chrono_literals;

std::promise<int> promise;

int main() {
  auto future = promise.get_future();
  std::thread worker([] {
#ifndef BUG
    promise.set_value(3);
#endif
  });
  while (future.wait_for(10ms) != std::future_status::ready) {
  }
  assert(future.get() == 3);
  worker.join();
}
