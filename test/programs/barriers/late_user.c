// The third thread comes only if it sees that it may: of that the first executions may know nothing. Once it has, the orders
// of arrival count: 2! without it, 3! with it, one of whom is left over.
// expect: --all deadlock classes=8 deadlocked=6
// algorithms: every
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int open;

static void *work(void *argument) {
  pthread_barrier_wait(&barrier);
  return argument;
}

static void *visit(void *argument) {
  if (open) pthread_barrier_wait(&barrier);
  return argument;
}

int main(void) {
  pthread_t threads[3];
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&threads[0], 0, visit, 0);
  pthread_create(&threads[1], 0, work, 0);
  pthread_create(&threads[2], 0, work, 0);
  open = 1;
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return 0;
}
