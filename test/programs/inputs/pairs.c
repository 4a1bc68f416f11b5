// bench/programs/pairs.hed in C: 8^N classes.
// expect: --all classes=64 none
// slow: --all -D N=4 classes=4096 none
// configurations: one
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

atomic_int x[N];   // not static: nobody reads it, and the compiler would drop the stores

static void *member(void *argument) {
  const int index = (int)(long)argument;
  atomic_store(&x[index / 2], index % 2);
  volatile int large = 0;
  if (heddle_input_int("n") > 10) large = 1;
  return argument;
}

int main(void) {
  pthread_t t[2 * N];
  for (long i = 0; i < 2 * N; i++) pthread_create(&t[i], 0, member, (void *)i);
  for (int i = 0; i < 2 * N; i++) pthread_join(t[i], 0);
  return 0;
}
