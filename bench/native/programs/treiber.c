// Treiber's stack: N threads push and pop once each. Nodes are not used again, so there is no ABA.
// expect: -D N=2 classes=40 none
// slow: -D N=3 classes=25680 none
#include <stdatomic.h>

#include "start.h"

#ifndef N
#define N 2
#endif

struct node {
  struct node *next;
};
static _Atomic(struct node *) top;
static struct node nodes[N];

static void push(struct node *node) {
  struct node *old = top;
  do
    node->next = old;
  while (!atomic_compare_exchange_strong(&top, &old, node));
}

static struct node *pop(void) {
  struct node *old = top;
  while (old && !atomic_compare_exchange_strong(&top, &old, old->next)) {
  }
  return old;
}

static void work(int index) {
  push(&nodes[index]);
  pop();
}

int main(void) {
  for (int i = 0; i < N; ++i) start_thread(work, i);
  join_all();
  return 0;
}
