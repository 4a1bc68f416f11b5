// A latch as a starting gate: all arrive and wait, one class. A latch that is counted down is the library's.
// expect: -D GATE=1 none classes=1
// expect: -D GATE=2 --all deadlock classes=1
// expect: -D GATE=0 none
// algorithms: every
// flags: -std=c++20
// counts: spinning
#include <cassert>
#include <latch>
#include <thread>

constinit std::latch gate(GATE == 2 ? 4 : 3);
int x[3];

void work(int own) {
  x[own] = 1;
  if (GATE)
    gate.arrive_and_wait();
  else
    gate.count_down();
  if (GATE) assert(x[0] && x[1] && x[2]);
}

int main() {
  std::jthread a(work, 0), b(work, 1);
  work(2);
  if (!GATE) gate.wait();
  assert(x[0] && x[1] && x[2]);
}
