// The deque of Chase and Lev: the owner pushes and takes at the bottom, a thief steals at the top and waits for
// something to steal. The bug: for the last one the owner does not compete with the thief.
// expect: none classes=14
// expect: -D BUG=1 assertion
// algorithms: every
// counts: spinning
#include "together.h"

enum { kSize = 4 };
atomic_int top, bottom, done;
int items[kSize];
int taken[3], stolen;

static void push(int value) {
  int b = atomic_load(&bottom);
  items[b % kSize] = value;
  atomic_store(&bottom, b + 1);
}

static int take(void) {
  int b = atomic_load(&bottom) - 1;
  atomic_store(&bottom, b);
  int t = atomic_load(&top);
  if (t > b) {
    atomic_store(&bottom, b + 1);
    return 0;
  }
  int value = items[b % kSize];
  if (t < b)
    return value;
#ifndef BUG
  if (!atomic_compare_exchange_strong(&top, &t, t + 1))
    value = 0;
#endif
  atomic_store(&bottom, b + 1);
  return value;
}

static void *own(void *argument) {
  push(1);
  push(2);
  for (int i = 0, value; i < 2; ++i)
    if ((value = take()) != 0)
      ++taken[value];
  atomic_store(&done, 1);
  return argument;
}

static void *steal(void *argument) {
  while (!atomic_load(&done)) {
    int t = atomic_load(&top);
    if (t >= atomic_load(&bottom))
      continue;
    int value = items[t % kSize];
    if (atomic_compare_exchange_strong(&top, &t, t + 1)) {
      stolen = value;
      break;
    }
  }
  return argument;
}

int main(void) {
  both(own, steal);
  if (stolen)
    ++taken[stolen];
  assert(taken[1] == 1 && taken[2] == 1);
}
