// One of the ways the thread can end frees what main frees after the join.
// expect: --all --algorithm=optimal-dpor double-free
// expect: --all --algorithm=unfolding double-free
// expect: --all --algorithm=contextual-unfolding double-free
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;
static void *block;

static void *look(void *unused) {
  if (flag == 1) free(block);
  return unused;
}

static void *set(void *unused) {
  flag = 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  void *const mine = block = malloc(8);
  pthread_create(&a, NULL, look, NULL);
  pthread_create(&b, NULL, set, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(mine);
  return 0;
}
