// The queue lock of Mellor-Crummey and Scott. The bug: who leaves does not wait for a successor that is about to link
// itself, and leaves it alone.
// expect: none classes=66
// expect: -D BUG=1 livelock
// algorithms: every
#include "together.h"

struct node {
  _Atomic(struct node *) next;
  atomic_int waits;
};
_Atomic(struct node *) tail;

static void lock(struct node *mine) {
  atomic_store(&mine->next, 0);
  atomic_store(&mine->waits, 1);
  struct node *before = atomic_exchange(&tail, mine);
  if (!before)
    return;
  atomic_store(&before->next, mine);
  while (atomic_load(&mine->waits)) {
  }
}

static void unlock(struct node *mine) {
  struct node *expected = mine;
  if (!atomic_load(&mine->next)) {
    if (atomic_compare_exchange_strong(&tail, &expected, 0))
      return;
#ifdef BUG
    if (!atomic_load(&mine->next))
      return;
#endif
    while (!atomic_load(&mine->next)) {
    }
  }
  atomic_store(&atomic_load(&mine->next)->waits, 0);
}

struct node nodes[3];

static void *work(void *argument) {
  struct node *mine = &nodes[(intptr_t)argument];
  lock(mine);
  critical_section();
  unlock(mine);
  return argument;
}

int main(void) {
  together(3, work);
  assert(visits == 3);
}
