// The queue lock of Craig, Landin and Hagersten, two rounds: a thread goes on with the node of the one before it. The
// bug: it keeps its own, on which somebody may still be waiting.
// expect: none classes=6
// expect: -D BUG=1 livelock
// algorithms: every
#include "together.h"

struct node {
  atomic_int busy;
};
struct node nodes[3];
_Atomic(struct node *) tail = &nodes[2];

static void *work(void *argument) {
  struct node *mine = &nodes[(intptr_t)argument];
  for (int round = 0; round < 2; ++round) {
    atomic_store(&mine->busy, 1);
    struct node *before = atomic_exchange(&tail, mine);
    while (atomic_load(&before->busy)) {
    }
    critical_section();
    atomic_store(&mine->busy, 0);
#ifndef BUG
    mine = before;
#endif
  }
  return argument;
}

int main(void) {
  together(2, work);
  assert(visits == 4);
}
