// Two hundred threads, each joined before the next is created: ids of those that were joined are used again, and every thread
// has thread-local variables of its own.
// expect: --all none classes=1
// expect: --all --algorithm=exhaustive none classes=1
// expect: --all -D RACE=1 data-race
// expect: --all -D THREADS=1000 none classes=1
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 200
#endif

static int count, seen;
static _Thread_local int own = 7;

static void* act(void* argument) {
  assert(own == 7);
  own = ++count;
  return argument;
}

static void* look(void* argument) {
  seen = count;   // beside the last of them
  return argument;
}

int main(void) {
  for (int i = 0; i < THREADS; ++i) {
    pthread_t t;
    pthread_create(&t, 0, act, 0);
#ifdef RACE
    pthread_t other;
    if (i == THREADS - 1) pthread_create(&other, 0, look, 0);
    if (i == THREADS - 1) pthread_join(other, 0);
#endif
    pthread_join(t, 0);
  }
  assert(count == THREADS);
  (void)look;
  return 0;
}
