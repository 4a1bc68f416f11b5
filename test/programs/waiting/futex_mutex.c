// Drepper's mutex on a futex: 0 free, 1 taken, 2 taken and somebody may sleep. The bug: unlocking never wakes anybody.
// expect: none classes=16
// expect: -D BUG=1 deadlock
// algorithms: every
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "together.h"

atomic_int state;

static void lock(void) {
  int free = 0;
  if (atomic_compare_exchange_strong(&state, &free, 1))
    return;
  while (atomic_exchange(&state, 2) != 0)
    syscall(SYS_futex, &state, FUTEX_WAIT_PRIVATE, 2, 0, 0, 0);
}

static void unlock(void) {
  if (atomic_exchange(&state, 0) == 2) {
#ifndef BUG
    syscall(SYS_futex, &state, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
#endif
  }
}

static void *work(void *argument) {
  lock();
  critical_section();
  unlock();
  return argument;
}

int main(void) {
  together(2, work);
  assert(visits == 2);
}
