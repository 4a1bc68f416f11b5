// One lock around groups of shared accesses; each thread takes it twice, EXTRA threads once. locking 1 is the default.
// expect: classes=2520 none
// expect: -D EXTRA=1 classes=22680 none
// expect: --races=explore classes=2520 none
// slow: -D N=5 classes=113400 none
// slow: -D N=6 classes=7484400 none
#include <assert.h>

#include "start.h"

#ifndef N
#define N 4
#endif
#ifndef EXTRA
#define EXTRA 0
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int x, y;

static void work(int by) {
  pthread_mutex_lock(&mutex);
  x += by;
  y -= by;
  assert(x + y == 0);
  pthread_mutex_unlock(&mutex);
}

static void twice(int index) {
  (void)index;
  work(1);
  work(2);
}

static void once(int index) {
  (void)index;
  work(3);
}

int main(void) {
  for (int i = 0; i < N; ++i) start_thread(twice, i);
  for (int i = 0; i < EXTRA; ++i) start_thread(once, i);
  join_all();
  return 0;
}
