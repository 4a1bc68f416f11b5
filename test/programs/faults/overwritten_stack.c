// A function writes far over its own stack: whatever comes of that is the program's crash, and the search goes on. HOW 1: a
// look at the call stack would go astray; 2: the compiler's own check notices.
// configurations: one
// flags: -fstack-protector-strong
// expect: --all crash
// expect: --all -D HOW=1 crash
// expect: --all -D HOW=2 crash
// expect: --all -D HOW=3 crash
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#ifndef HOW
#define HOW 0
#endif

atomic_int x;
volatile int length = 400;

__attribute__((noinline)) int spoil(void) {
  volatile char small[8];
  for (int i = 0; i < (HOW == 2 ? 64 : length); i++) small[i] = (char)(HOW == 3 ? 0x41 : i);
  if (HOW == 1) atomic_fetch_add(&x, 1);   // a step, while the stack is as it is
  return small[3];
}

static void *work(void *argument) {
  if (atomic_fetch_add(&x, 1) == 1) return (void *)(long)spoil();
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
