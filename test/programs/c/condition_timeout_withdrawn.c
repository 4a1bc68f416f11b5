// Whoever wakes a timed waiter takes its timeout away, so no trace of it is left in the execution; it has to be explored
// nevertheless (trace/withdrawal.h). Two waiters of which one signals, and one waiter beside a try-lock.
// Nobody looks again, so each wait may also be left at once (spurious.h): more classes by default. (An attempt that fails asks for execution graphs,
// which have no such wake-ups: 15.)
// expect: -D TRIES=1 classes=15 none assumes=no-spurious-wake-ups
// expect: -D WAITERS=1 --spurious=off classes=19 none
// expect: -D TRIES=1 --spurious=off classes=15 none
// expect: -D WAITERS=1 classes=41 none
// expect: -D TRIES=1 --memory=sc classes=20 none
// expect: -D WAITERS=1 --algorithm=source-dpor classes=41 none
// expect: -D TRIES=1 --algorithm=source-dpor classes=20 none
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static const struct timespec some_day = {4000000000, 0};

static void wait_a_little(void) {
  pthread_mutex_lock(&mutex);
  pthread_cond_timedwait(&changed, &mutex, &some_day);
  pthread_mutex_unlock(&mutex);
}

static void *just_wait(void *argument) {
  wait_a_little();
  return argument;
}

static void *wait_and_signal(void *argument) {
  wait_a_little();
  pthread_cond_signal(&changed);
  return argument;
}

static void *just_signal(void *argument) {
  pthread_cond_signal(&changed);
  return argument;
}

static void *try_lock(void *argument) {
  if (pthread_mutex_trylock(&mutex) == 0) pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
#ifdef WAITERS
  void *(*const bodies[])(void *) = {just_wait, wait_and_signal};
#else
  void *(*const bodies[])(void *) = {just_signal, try_lock, just_wait};
#endif
  enum { kThreads = sizeof bodies / sizeof *bodies };
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], 0, bodies[i], 0);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], 0);
  return 0;
}
