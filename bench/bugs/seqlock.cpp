// A writer that makes its version odd too late: readers take half of what it writes.
//
// bug: assertion
// run: -- -DREADERS=1
// run: -- -DREADERS=4 -DROUNDS=2
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#ifndef READERS
#define READERS 1
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

std::atomic<int> version = 0, x = 0, y = 0;

void publish() {
  for (int i = 1; i <= ROUNDS; ++i) {
    x = i;
    version = version + 1;
    y = i;
    version = version + 1;
  }
}

void observe() {
  const int before = version;
  const int seen_x = x, seen_y = y;
  if (before % 2 == 0 && version == before) assert(seen_x == seen_y);
}

int main() {
  std::vector<std::thread> threads;
  threads.emplace_back(publish);
  for (int i = 0; i < READERS; ++i) threads.emplace_back(observe);
  for (std::thread& t : threads) t.join();
}
