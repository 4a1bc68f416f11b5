// A timed acquire gives up, or gets the permit; the permit is there exactly once.
// expect: none
// flags: -D_GLIBCXX_USE_POSIX_SEMAPHORE=1
#include <atomic>
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

std::counting_semaphore<2> permits(0);
std::atomic<int> taken{0};

int main() {
  std::thread giver([] { permits.release(); });
  std::thread taker([] {
    if (permits.try_acquire_for(std::chrono::milliseconds(1))) ++taken;
  });
  if (permits.try_acquire()) ++taken;
  giver.join();
  taker.join();
  if (taken == 0) permits.acquire();
  assert(taken <= 1 && !permits.try_acquire());
}
