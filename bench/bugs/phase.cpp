// A hand-made barrier whose counter is set back by whoever leaves last: a quick thread comes round again before that.
//
// bug: any
// run: -- -DN=2
// run: -- -DN=4
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#ifndef N
#define N 2
#endif

std::mutex mutex;
std::condition_variable all_there;
int arrived = 0, left = 0;

void arrive() {
  std::unique_lock lock(mutex);
  if (++arrived == N) all_there.notify_all();
  all_there.wait(lock, [] { return arrived >= N; });
  if (++left == N) arrived = left = 0;
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < N; ++i)
    threads.emplace_back([] {
      for (int phase = 0; phase < 2; ++phase) arrive();
    });
  for (std::thread& t : threads) t.join();
}
