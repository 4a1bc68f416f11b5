// Whether a thread may be cancelled is part of its state: an execution that begins at a state on the way of the one before
// begins with what the threads had said up to there. (It was kept beside that, and such programs could not be rewound.)
// expect: --all none classes=1400
// expect: --all --checkpoints=off none classes=1400
// expect: --all --known-steps=off none classes=1400
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void* work(void* nothing) {
  for (int i = 0; i < 4; ++i) x++;
  int before = -1;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  assert(before == PTHREAD_CANCEL_ENABLE);
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before);
  assert(before == PTHREAD_CANCEL_DEFERRED);
  for (int i = 0; i < 3; ++i) y++;
  return nothing;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
