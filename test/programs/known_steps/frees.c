// A block that one thread frees and another reads, in different executions first: together, they race.
// followed: 0 of 606
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;
static long *block;

static void *frees(void *argument) {
  atomic_fetch_add(&y, 1);
  if (atomic_fetch_add(&x, 1) == 1) free(block);
  atomic_fetch_add(&y, 1);
  return argument;
}

static void *reads(void *argument) {
  atomic_fetch_add(&y, 1);
  if (atomic_fetch_add_explicit(&x, 1, memory_order_relaxed) == 1) atomic_fetch_add(&y, (int)*block);
  atomic_fetch_add(&y, 1);
  return argument;
}

int main(void) {
  block = calloc(1, sizeof *block);
  pthread_t t[3];
  pthread_create(&t[0], NULL, frees, NULL);
  pthread_create(&t[1], NULL, reads, NULL);
  pthread_create(&t[2], NULL, reads, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], NULL);
  return 0;
}
