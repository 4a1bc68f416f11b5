// expect: deadlocks=0 verdict=no-bug exhausted=1
#include <assert.h>
#include <atomic>
#include <thread>

std::atomic<int> made{0};
struct Single {
  int value = 5;
  Single() { made.fetch_add(1); }
};
Single& single() {
  static Single s;
  return s;
}

int main() {
  auto body = [] { assert(single().value == 5); };
  std::thread a(body), b(body);
  a.join();
  b.join();
  assert(made == 1);
}
