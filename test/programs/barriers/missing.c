// One thread never comes. Nobody passes, in whichever order the others have come.
// expect: --all deadlock classes=1 deadlocked=1
// expect: -D SOMETIMES=1 --all deadlock classes=2 deadlocked=1
// algorithms: every
// counts: results
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int closed;

static void *work(void *argument) {
  pthread_barrier_wait(&barrier);
  return argument;
}

static void *late(void *argument) {
#ifdef SOMETIMES
  if (!closed) pthread_barrier_wait(&barrier);
#endif
  return argument;
}

static void *closes(void *argument) {
#ifdef SOMETIMES
  closed = 1;
#endif
  return argument;
}

int main(void) {
  pthread_t threads[4];
  pthread_barrier_init(&barrier, 0, 3);
  pthread_create(&threads[0], 0, late, 0);
  pthread_create(&threads[1], 0, work, 0);
  pthread_create(&threads[2], 0, work, 0);
  pthread_create(&threads[3], 0, closes, 0);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
  (void)closed;
  return 0;
}
