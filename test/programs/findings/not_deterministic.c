// A program that asks for random numbers does not do the same again. What was found until that is noticed is reported, and
// nothing is called exhausted; without a finding the result is inconclusive (QUIET).
// exempt: rewound
// expect: --all assertion
// expect: --all --isolation=process assertion
// expect: --all -D QUIET=1 inconclusive
// expect: --all -D QUIET=1 --algorithm=source-dpor inconclusive
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

atomic_int x, y, z;   // not static: the optimiser would leave out what nobody reads

static unsigned draw(void) {
  unsigned number = 0;
  const int source = open("/dev/urandom", O_RDONLY);
  if (source < 0 || read(source, &number, sizeof number) != sizeof number) return 0;
  close(source);
  return number;
}

static void *wander(void *argument) {
#ifndef QUIET
  assert(x == 1);
#endif
  const unsigned way = draw();
  for (int bit = 0; bit < 32; bit++) {
    if (way >> bit & 1) y = 1;
    else z = 1;
  }
  return argument;
}

static void *set(void *argument) {
  x = 1;
  y = 2;
  return argument;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, wander, 0);
  pthread_create(&threads[1], 0, set, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
