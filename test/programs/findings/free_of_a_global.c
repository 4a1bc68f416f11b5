// free() of something that never was on the heap.
// expect: invalid-free
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int stage;
static int table[8];

static void *work(void *argument) {
  stage = 1;
  return argument;
}

int main(void) {
  pthread_t thread;
  void *volatile victim = &table[2];
  pthread_create(&thread, 0, work, 0);
  if (stage == 1) free(victim);
  pthread_join(thread, 0);
  return 0;
}
