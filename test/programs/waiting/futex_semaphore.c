// A semaphore on a futex: who finds nothing sleeps while there is nothing. The bug: the waiter does not say to the
// kernel what it has seen, and sleeps although something was posted meanwhile: it sleeps on another word, which only
// says that it sleeps.
// expect: none classes=8
// expect: -D BUG=1 deadlock
// algorithms: every
// counts: spinning
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "together.h"

atomic_int count, sleepers;

static void wait_for_one(void) {
  for (;;) {
    int c = atomic_load(&count);
    if (c > 0) {
      if (atomic_compare_exchange_strong(&count, &c, c - 1))
        return;
      continue;
    }
#ifdef BUG
    int s = atomic_load(&sleepers);
    syscall(SYS_futex, &sleepers, FUTEX_WAIT_PRIVATE, s, 0, 0, 0);
#else
    syscall(SYS_futex, &count, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
#endif
  }
}

static void post(void) {
  atomic_fetch_add(&count, 1);
#ifdef BUG
  syscall(SYS_futex, &sleepers, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
#else
  syscall(SYS_futex, &count, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
#endif
}

int data;

static void *give(void *argument) {
  data = 1;
  post();
  return argument;
}

static void *take(void *argument) {
  wait_for_one();
  assert(data == 1);
  return argument;
}

int main(void) {
  both(give, take);
}
