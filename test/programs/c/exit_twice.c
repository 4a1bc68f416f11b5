// Two threads end the process, each with a code of its own; a handler that the first one runs looks at what others do. The
// other one does not run it again.
// expect: --all exit-code findings=2
// expect: --all --algorithm=exhaustive exit-code findings=2
// expect: --all --algorithm=unfolding exit-code findings=2
// expect: --all -D QUIET=1 exit-code findings=2 classes=3
// expect: --all -D QUIET=1 --algorithm=source-dpor exit-code findings=2 classes=3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int runs;

static void handler(void) { assert(atomic_fetch_add(&runs, 1) == 0); }

static void *leave(void *code) { exit((int)(long)code); }

int main(void) {
  pthread_t first, second;
#ifndef QUIET
  atexit(handler);
#endif
  pthread_create(&first, 0, leave, (void *)4);
  pthread_create(&second, 0, leave, (void *)5);
  pthread_join(first, 0);
  pthread_join(second, 0);
}
