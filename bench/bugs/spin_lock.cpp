// A spin lock that looks and then takes, in two steps.
//
// bug: assertion
// run: -- -DN=2
// run: -- -DN=5
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#ifndef N
#define N 2
#endif

std::atomic<bool> held = false;
std::atomic<int> inside = 0;

void work() {
  while (held) {
  }
  held = true;
  assert(inside.fetch_add(1) == 0);
  inside.fetch_sub(1);
  held = false;
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < N; ++i) threads.emplace_back(work);
  for (std::thread& t : threads) t.join();
}
