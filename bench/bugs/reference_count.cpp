// A reference count that is lowered and then looked at: two threads find it to be zero.
//
// bug: any
// run: -- -DN=2
// run: -- -DN=20
#include <atomic>
#include <thread>
#include <vector>

#ifndef N
#define N 2
#endif

struct Shared {
  std::atomic<int> owners = N;
};

void release(Shared* s) {
  --s->owners;
  if (s->owners == 0) delete s;
}

int main() {
  Shared* shared = new Shared;
  std::vector<std::thread> threads;
  for (int i = 0; i < N; ++i) threads.emplace_back(release, shared);
  for (std::thread& t : threads) t.join();
}
