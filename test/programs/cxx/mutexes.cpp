// Recursive, timed and scoped locks.
// expect: none
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

std::recursive_mutex recursive;
std::timed_mutex timed;
int inner = 0, outer = 0;

void work() {
  {
    std::lock_guard first(recursive);
    std::lock_guard again(recursive);
    ++inner;
  }
  if (timed.try_lock_for(std::chrono::milliseconds(10))) {
    ++outer;
    timed.unlock();
  }
}

int main() {
  std::thread a(work);
  std::thread b(work);
  a.join();
  b.join();
  assert(inner == 2 && outer >= 1);
}
