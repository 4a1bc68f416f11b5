// Walking along a set calls into libstdc++ for every step, erasing rebalances there.
// expect: data-race
// expect: -D LOCKED=1 none
#include <mutex>
#include <set>
#include <thread>
std::mutex m;
std::set<int> numbers{1, 2, 3, 4};
int main() {
  std::thread writer([] {
    std::lock_guard guard(m);
    numbers.erase(2);
  });
  {
#ifdef LOCKED
    std::lock_guard guard(m);
#endif
    int sum = 0;
    for (int n : numbers) sum += n;
    if (sum == 0) return 1;
  }
  writer.join();
}
