// How a thread rounds is its own, survives its steps, and does not outlive the execution.
// followed: any
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static volatile double one = 1, three = 3;

static void *work(void *argument) {
  const double nearest = one / three;
  const int seen = x;
  if (seen == 1) fesetround(FE_UPWARD);
  x = seen + 1;
  x = x + 1;
  if (seen == 1) assert(one / three > nearest);
  else assert(one / three == nearest);
  return argument;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  assert(fegetround() == FE_TONEAREST);
  return 0;
}
