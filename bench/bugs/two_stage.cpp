// One value is set under a lock and the second, which depends on it, later under another one; a reader in between finds
// them apart.
//
// bug: assertion
// run: -- -DN=2
// run: -- -DN=20
// run: -- -DN=100
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#ifndef N
#define N 2
#endif

std::mutex first_lock, second_lock;
int first = 0, second = 0;

void publish() {
  {
    std::lock_guard lock(first_lock);
    first = 1;
  }
  std::lock_guard lock(second_lock);
  second = 2;
}

void observe() {
  int seen = 0;
  {
    std::lock_guard lock(first_lock);
    if (first == 0) return;
    seen = first;
  }
  std::lock_guard lock(second_lock);
  assert(second == seen + 1);
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i + 1 < N; ++i) threads.emplace_back(publish);
  threads.emplace_back(observe);
  for (std::thread& t : threads) t.join();
}
