// Read, copy, update: the writer replaces the value and waits for a grace period in which every reader was seen outside
// before it reuses the old one. The bug: it waits before the replacement.
// expect: none classes=9
// expect: -D BUG=1 data-race
// algorithms: every
#include "together.h"

struct value {
  int a, b;
} values[2] = {{1, 1}, {2, 2}};
_Atomic(struct value *) current = &values[0];
atomic_int reads[2];

static void *read_it(void *argument) {
  atomic_int *mine = &reads[(intptr_t)argument];
  atomic_store(mine, 1);
  struct value *v = atomic_load(&current);
  assert(v->a == v->b);
  atomic_store(mine, 0);
  return argument;
}

static void wait_for_readers(void) {
  for (int i = 0; i < 2; ++i)
    while (atomic_load(&reads[i])) {
    }
}

static void update(void) {
#ifdef BUG
  wait_for_readers();
#endif
  atomic_store(&current, &values[1]);
#ifndef BUG
  wait_for_readers();
#endif
  values[0].a = values[0].b = 3;
}

static void *work(void *argument) {
  if ((intptr_t)argument < 2)
    return read_it(argument);
  update();
  return argument;
}

int main(void) {
  together(3, work);
}
