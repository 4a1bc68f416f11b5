// A lost wake-up, and a main that only joins. That it does nothing else is known when an execution has shown its end; the deadlock
// that was met before is not looked for again.
// expect: --all --spurious=off classes=2 deadlocked=1 deadlock
// expect: --all --spurious=off --algorithm=unfolding executions=2 deadlocked=1 deadlock
// expect: --all --spurious=off --algorithm=contextual-unfolding executions=2 deadlocked=1 deadlock
// The third class is that of a wait that returns for no reason.
// expect: --all classes=3 deadlocked=1 deadlock
// expect: --all --algorithm=unfolding executions=3 deadlocked=1 deadlock
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *signals(void *argument) {
  pthread_cond_signal(&changed);
  return argument;
}

static void *waits(void *argument) {
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, signals, 0);
  pthread_create(&b, 0, waits, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
