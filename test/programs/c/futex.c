// A futex by system call: a wait finds the value changed, or is woken.
// expect: none
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int flag;

static void *wait_for_flag(void *argument) {
  while (flag == 0) syscall(SYS_futex, &flag, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
  return argument;
}

static void *raise_flag(void *argument) {
  flag = 1;
  syscall(SYS_futex, &flag, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, wait_for_flag, 0);
  pthread_create(&second, 0, raise_flag, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
