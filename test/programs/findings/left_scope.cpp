// A thread that is detached uses what it has captured by reference: the scope of the variable may have ended. The bug is found
// whichever comes first, for atomic and for plain variables. Who waits for the thread by a flag is right.
// expect: data-race
// expect: -D ATOMIC=1 data-race
// expect: -D WAITS=1 none
// exempt: gcc
#include <atomic>
#include <thread>

std::atomic<bool> done{false};

void start() {
#ifdef ATOMIC
  std::atomic<int> count{0};
#else
  int count = 0;
#endif
  std::thread([&] {
    ++count;
    done = true;
  }).detach();
#ifdef WAITS
  while (!done) {
  }
#endif
}

int main() {
  start();
  while (!done) {
  }
}
