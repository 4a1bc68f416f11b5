// Lost update with plain variables, all interleavings: 2 threads, load and store each.
// expect: classes=4 deadlocks=0 verdict=no-bug exhausted=1
// options: --races=explore
#include <thread>

int counter;

int main() {
  auto body = [] { counter++; };
  std::thread a(body), b(body);
  a.join();
  b.join();
}
