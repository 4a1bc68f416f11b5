// Who wakes only some of those who sleep on a futex is refused; with all bits it is a plain wake-up.
// expect: -D BITS=2 error:FUTEX_WAKE_BITSET
// expect: --all none
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef BITS
#define BITS FUTEX_BITSET_MATCH_ANY
#endif
static atomic_int gate;

static void *comes(void *argument) {
  while (gate == 0) syscall(SYS_futex, &gate, FUTEX_WAIT_BITSET_PRIVATE, 0, 0, 0, BITS);
  return argument;
}

static void *opens(void *argument) {
  gate = 1;
  syscall(SYS_futex, &gate, FUTEX_WAKE_BITSET_PRIVATE, 1, 0, 0, BITS);
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, comes, 0);
  pthread_create(&second, 0, opens, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
