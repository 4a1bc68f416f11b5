// A cache looks something up as a reader and inserts it as a writer, without looking again.
//
// bug: assertion
// run: -- -DN=2
// run: -- -DN=6
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

#ifndef N
#define N 2
#endif

std::shared_mutex mutex;
bool there = false;
int made = 0;

void get() {
  {
    std::shared_lock lock(mutex);
    if (there) return;
  }
  std::unique_lock lock(mutex);
  there = true;
  assert(++made == 1);
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < N; ++i) threads.emplace_back(get);
  for (std::thread& t : threads) t.join();
}
