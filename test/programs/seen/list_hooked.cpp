// Elements are hooked into a list inside libstdc++.
// expect: data-race
// expect: -D LOCKED=1 none
#include <list>
#include <mutex>
#include <thread>
std::mutex m;
std::list<int> jobs;
int main() {
  std::thread writer([] {
    std::lock_guard guard(m);
    jobs.push_back(1);
  });
  {
#ifdef LOCKED
    std::lock_guard guard(m);
#endif
    if (!jobs.empty()) jobs.pop_front();
  }
  writer.join();
}
