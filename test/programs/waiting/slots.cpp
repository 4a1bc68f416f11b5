// Slots that are looked at one after another, round and round: a turn in vain is as many turns of the loop as there are slots.
// With more of them than turns are kept it takes longer to see, and a few classes count that need not.
// exempt: gcc
// expect: --all none classes=1
// expect: -D SLOTS=12 --all none classes=1
// expect: -D SLOTS=40 --all none
// expect: -D BUG=1 --all livelock
// algorithms: every
#include <atomic>
#include <cassert>
#include <thread>

#ifndef SLOTS
#define SLOTS 6
#endif
std::atomic<int> slot[SLOTS];

int main() {
  std::thread t([] {
    int i = 0;
    while (!slot[i].load()) i = (i + 1) % SLOTS;
    assert(i == 4);
  });
#ifndef BUG
  slot[4].store(1);
#endif
  t.join();
}
