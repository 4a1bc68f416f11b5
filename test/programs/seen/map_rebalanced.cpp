// One thread inserts under a lock, the other looks without: the race is inside libstdc++, where the tree is rebalanced and
// its root set. Under the lock all is well.
// expect: data-race
// expect: --races=explore -D WITHOUT_LOCK=2 none assumes=sequential-consistency
// expect: -D LOCKED=1 none
// counts: optimiser
#include <map>
#include <mutex>
#include <thread>
std::mutex m;
std::map<int, int> squares;
void add(int n) {
  std::lock_guard guard(m);
  squares[n] = n * n;
}
bool knows(int n) {
#ifdef LOCKED
  std::lock_guard guard(m);
#endif
  return squares.count(n) != 0;
}
int main() {
  std::thread writer([] {
    add(1);
#ifndef WITHOUT_LOCK
    add(2);
    add(3);
#endif
  });
  volatile bool found = knows(2);
  writer.join();
}
