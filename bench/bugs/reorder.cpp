// Setters write a and then b; a checker between the two of one setter sees the one without the other.
//
// bug: assertion
// run: -- -DN=3
// run: -- -DN=5
// run: -- -DN=20
// run: -- -DN=100
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#ifndef N
#define N 5
#endif

std::atomic<int> a = 0, b = 0;

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < N; ++i)
    threads.emplace_back([] {
      a = 1;
      b = -1;
    });
  threads.emplace_back([] {
    const int seen_a = a, seen_b = b;
    assert((seen_a == 0 && seen_b == 0) || (seen_a == 1 && seen_b == -1));
  });
  for (std::thread& t : threads) t.join();
}
