// N threads, K times load and store of one atomic. Classes: N=2 K=5: 34904; N=3 K=2: 7134; N=3 K=3: 1824912.
#include <atomic>
#include <thread>

#ifndef N
#define N 3
#endif
#ifndef K
#define K 2
#endif

std::atomic<int> x{0};

int main() {
  std::thread threads[N];
  for (auto& t : threads)
    t = std::thread([] {
      for (int i = 0; i < K; ++i) x.store(x.load() + 1);
    });
  for (auto& t : threads) t.join();
}
