// A pool of connections counts free ones with a semaphore, and looks for one without a lock.
//
// bug: assertion
// run: -- -DN=3
// run: -- -DN=10
#include <semaphore.h>

#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#ifndef N
#define N 3
#endif

sem_t free_ones;
std::atomic<int> used[2];

void query() {
  sem_wait(&free_ones);
  for (std::atomic<int>& u : used) {
    if (u != 0) continue;
    assert(u.fetch_add(1) == 0);
    u = 0;
    break;
  }
  sem_post(&free_ones);
}

int main() {
  sem_init(&free_ones, 0, 2);
  std::vector<std::thread> threads;
  for (int i = 0; i < N; ++i) threads.emplace_back(query);
  for (std::thread& t : threads) t.join();
}
