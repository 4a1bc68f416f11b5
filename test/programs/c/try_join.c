// Asking whether a thread has ended: both answers are explored, one that it has only where it has. Whoever keeps asking
// waits.
// expect: none
// expect: --algorithm=source-dpor none
// expect: -D ASK_ONCE=1 assertion
// expect: -D NEEDS_US=1 none
// expect: -D TIMED=1 none
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int done, go;

static void *work(void *argument) {
#ifdef NEEDS_US
  while (!go) {
  }
#endif
  done = 1;
  return argument;
}

int main(void) {
  pthread_t thread;
  void *result = 0;
  pthread_create(&thread, 0, work, &done);
#if defined ASK_ONCE
  const int error = pthread_tryjoin_np(thread, &result);
  assert(error == 0);
#elif defined NEEDS_US
  if (pthread_tryjoin_np(thread, &result) == EBUSY) {
    go = 1;
    pthread_join(thread, &result);
  } else {
    assert(0);   // it waits for us
  }
#elif defined TIMED
  const struct timespec soon = {1704067201, 0};
  if (pthread_timedjoin_np(thread, &result, &soon) == ETIMEDOUT) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    assert(now.tv_sec >= soon.tv_sec);
    pthread_join(thread, &result);
  }
#else
  while (pthread_tryjoin_np(thread, &result) != 0) {
  }
#endif
  assert(done == 1 && result == &done);
  assert(pthread_tryjoin_np(thread, 0) == EINVAL);
  return 0;
}
