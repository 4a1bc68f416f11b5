// A thread that waits for what never comes is cancelled, wherever it is blocked; on a condition variable it has the mutex
// again when its cleanups run.
// expect: --all none
// expect: --all --algorithm=exhaustive none
// expect: --all --algorithm=source-dpor none
// expect: --all --algorithm=unfolding none
// expect: --all -j2 none
// expect: --all -D NEVER=1 deadlock
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t none;
static int cleaned;   // guarded by `lock`

static void unlock(void* unused) {
  (void)unused;
  ++cleaned;
  pthread_mutex_unlock(&lock);
}

static void* waits(void* argument) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, 0);
  for (;;) pthread_cond_wait(&changed, &lock);
  pthread_cleanup_pop(0);
  return argument;
}

static void* waits_for_semaphore(void* argument) {
  sem_wait(&none);
  return argument;
}

static void* sleeps(void* argument) {
  for (;;) sleep(1);
  return argument;
}

static void is_cancelled(void* (*function)(void*)) {
  pthread_t t;
  void* result = 0;
  pthread_create(&t, 0, function, 0);
#ifndef NEVER
  pthread_cancel(t);
#endif
  pthread_join(t, &result);
  assert(result == PTHREAD_CANCELED);
}

int main(void) {
  is_cancelled(waits);
  pthread_mutex_lock(&lock);
  assert(cleaned == 1);
  pthread_mutex_unlock(&lock);
  is_cancelled(waits_for_semaphore);
  is_cancelled(sleeps);
  return 0;
}
