// The sleep of a futex may end at any time; and a lost wake-up is a deadlock though the thread may be woken for no reason.
// expect: assertion
// expect: -D LOOP=1 none
// expect: -D LOOP=1 --spurious=off none
// expect: -D LOOP=1 -D LOST=1 deadlock
// expect: -D LOST=1 --all deadlock assertion
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef LOOP
#define LOOP 0
#endif

static atomic_int word;

static void *sets(void *argument) {
  word = 1;
#ifndef LOST
  syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
#endif
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, sets, 0);
  do {
    if (word == 0) syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0);
  } while (LOOP && word == 0);
  assert(word == 1);
  pthread_join(t, 0);
  return 0;
}
