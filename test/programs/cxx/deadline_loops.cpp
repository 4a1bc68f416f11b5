// Loops that watch the clock end after some turns, however far away their deadline is: a test that runs for a second, and
// one that polls for an hour. Whether the poll is successful is open.
// expect: none
// expect: -D TRUSTS=1 assertion
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

#ifndef TRUSTS
#define TRUSTS 0
#endif

using Clock = std::chrono::steady_clock;
std::atomic<bool> ready{false};

int main() {
  int rounds = 0;
  for (const auto end = Clock::now() + std::chrono::seconds(1); Clock::now() < end;) ++rounds;
  assert(rounds > 10);

  std::thread worker([] { ready = true; });
  bool seen = false;
  for (const auto end = Clock::now() + std::chrono::hours(1); !seen && Clock::now() < end;) seen = ready;
  if (TRUSTS) assert(seen);
  worker.join();
  assert(ready);
}
