// Lock, look, unlock, until the look finds what it wants. The bug: the flag is raised before the data are there, under
// the lock each.
// expect: none classes=1
// expect: -D BUG=1 assertion
// algorithms: every
// counts: spinning
#include "together.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int ready, data;

static int is_ready(void) {
  pthread_mutex_lock(&mutex);
  int r = ready;
  pthread_mutex_unlock(&mutex);
  return r;
}

static void set(int *what) {
  pthread_mutex_lock(&mutex);
  *what = 1;
  pthread_mutex_unlock(&mutex);
}

static void *give(void *argument) {
#ifdef BUG
  set(&ready);
  set(&data);
#else
  set(&data);
  set(&ready);
#endif
  return argument;
}

static void *take(void *argument) {
  while (!is_ready()) {
  }
  pthread_mutex_lock(&mutex);
  assert(data == 1);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  both(give, take);
}
