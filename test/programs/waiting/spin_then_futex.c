// A lock that is tried a hundred times, then slept for at a futex for a while, and so on. The bug: it is never given back.
// expect: none
// expect: -D BUG=1 livelock
// algorithms: every
// exempt: gcc
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "together.h"

static atomic_int word;
static int sum;

static void lock(void) {
  for (;;) {
    for (int i = 0; i < 100; ++i) {
      int expected = 0;
      if (atomic_compare_exchange_strong(&word, &expected, 1)) return;
      __builtin_ia32_pause();
    }
    const struct timespec while_ = {0, 1000000};
    syscall(SYS_futex, &word, FUTEX_WAIT, 1, &while_, 0, 0);
  }
}

static void unlock(void) {
#ifndef BUG
  atomic_store(&word, 0);
  syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
#endif
}

static void *work(void *argument) {
  lock();
  ++sum;
  unlock();
  return argument;
}

int main(void) {
  both(work, work);
  assert(sum == 2);
}
