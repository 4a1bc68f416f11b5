// Reading from a pipe is a cancellation point, and closing is one: what was opened stays open unless a cleanup closes it.
// expect: --all assertion
// expect: --all -D CLEANUP=1 none
// expect: --all -D CLEANUP=1 --algorithm=exhaustive none
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

static int ends[2];
static _Atomic int closed;

static void put_away(void* descriptor) {
  closed = 1;
  close((int)(intptr_t)descriptor);   // a cancellation point itself
}

static void* reads(void* argument) {
  char c = 0;
#ifdef CLEANUP
  pthread_cleanup_push(put_away, (void*)(intptr_t)ends[0]);
#endif
  read(ends[0], &c, 1);
#ifdef CLEANUP
  pthread_cleanup_pop(1);
#else
  put_away((void*)(intptr_t)ends[0]);
#endif
  return argument;
}

int main(void) {
  pthread_t t;
  pipe(ends);
  write(ends[1], "x", 1);
  pthread_create(&t, 0, reads, 0);
  pthread_cancel(t);
  pthread_join(t, 0);
  assert(closed);
  return 0;
}
