// A phaser: parties arrive at a phase and wait for it to advance; one of them leaves after the first phase. The bug: it
// leaves without being counted off.
// expect: none classes=17
// expect: -D BUG=1 livelock
// algorithms: every
#include "together.h"

atomic_int parties = 2, arrived, phase;
int data[2];

static void advance_if_all_are_there(void) {
  int a = atomic_load(&arrived);
  if (a == atomic_load(&parties) && atomic_compare_exchange_strong(&arrived, &a, 0))
    atomic_fetch_add(&phase, 1);
}

static void arrive_and_wait(int of) {
  if (atomic_fetch_add(&arrived, 1) + 1 == atomic_load(&parties))
    advance_if_all_are_there();
  while (atomic_load(&phase) == of) {
  }
}

static void leave(void) {
#ifndef BUG
  atomic_fetch_sub(&parties, 1);
  advance_if_all_are_there();
#endif
}

static void *stay(void *argument) {
  data[0] = 1;
  arrive_and_wait(0);
  assert(data[1] == 1);
  arrive_and_wait(1);
  return argument;
}

static void *go(void *argument) {
  data[1] = 1;
  arrive_and_wait(0);
  assert(data[0] == 1);
  leave();
  return argument;
}

int main(void) {
  both(stay, go);
}
