// How a thread rounds is its own, survives its steps, and does not outlive the execution. Nothing else tells what it saw.
// followed: 53 of 105
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
atomic_int y;
static volatile double one = 1, three = 3;

static void *work(void *argument) {
  if (atomic_fetch_add(&x, 1) == 1) fesetround(FE_UPWARD);
  for (int i = 0; i < 3; ++i) atomic_fetch_add(&y, 1);
  if (argument) assert(one / three * three == 1);
  atomic_fetch_add(&y, 1);
  return argument;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; ++i) pthread_create(&t[i], NULL, work, (void *)i);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  assert(fegetround() == FE_TONEAREST);
  return 0;
}
