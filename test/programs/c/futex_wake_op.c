// FUTEX_WAKE_OP opens a gate, and wakes who sleeps before it if it was shut: nobody sleeps for ever. Who comes looks, and
// finds it open; or looks, and its sleep is refused; or sleeps, and is woken. (Nobody sleeps at the bell.)
// With WAS=1 (FUTEX_OP_CMP_NE) it wakes nobody who sleeps there.
// expect: --all classes=8 none
// expect: -D WAS=1 --all classes=5 deadlock
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef WAS
#define WAS FUTEX_OP_CMP_EQ
#endif
static atomic_int gate, bell;

static void *comes(void *argument) {
  if (gate == 0) syscall(SYS_futex, &gate, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
  return argument;
}

static void *opens(void *argument) {
  syscall(SYS_futex, &bell, FUTEX_WAKE_OP_PRIVATE, 1, 1, &gate, FUTEX_OP(FUTEX_OP_ADD, 3, WAS, 0));
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, comes, 0);
  pthread_create(&second, 0, opens, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return gate != 3;
}
