// Loops that wait and count their turns where nobody else looks: in a variable of the thread, of the function, of the
// program. The turns are the same but for that.
// expect: --all none
// expect: -D STATIC=1 none
// expect: -D GLOBAL=1 none
// expect: -D BUG=1 data-race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#if defined GLOBAL
unsigned long spins;
#elif !defined STATIC
static _Thread_local unsigned long spins;
#endif

static atomic_int ready;
static int data;

static void *produce(void *argument) {
#ifdef BUG
  atomic_store(&ready, 1);
  data = 1;
#else
  data = 1;
  atomic_store(&ready, 1);
#endif
  return argument;
}

int main(void) {
#ifdef STATIC
  static unsigned long spins;
#endif
  pthread_t t;
  pthread_create(&t, 0, produce, 0);
  while (!atomic_load(&ready)) ++spins;
  assert(data == 1);
  pthread_join(t, 0);
  return 0;
}
