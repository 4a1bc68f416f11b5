// Kähkönen's dining: one execution shows what everybody does, and the deadlock is in the net. With ORDERED forks there is none.
// expect: --all --algorithm=optimal-dpor deadlock
// expect: --all --algorithm=stateful --max-executions=4 deadlock findings=1
// expect: --all --algorithm=stateful-unfolding --max-executions=4 deadlock findings=1
// expect: -D ORDERED=1 --all --algorithm=optimal-dpor none
// expect: -D ORDERED=1 --all --algorithm=stateful --max-executions=4 none
// expect: -D ORDERED=1 --all --algorithm=stateful-unfolding --max-executions=4 none
// expect: -D ORDERED=1 --algorithm=stateful --reachable='deadlock' none
// expect: -D ORDERED=1 --algorithm=stateful-unfolding --reachable='held_by(forks[0],T1)&&held_by(forks[1],T2)&&held_by(forks[2],T3)' reachable
#include <pthread.h>

#define N 4

pthread_mutex_t forks[N] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                            PTHREAD_MUTEX_INITIALIZER};

static void* eat(void* argument) {
  int left = (int)(long)argument, right = (left + 1) % N;
#ifdef ORDERED
  if (right < left) {
    left = right;
    right = N - 1;
  }
#endif
  pthread_mutex_lock(&forks[left]);
  pthread_mutex_lock(&forks[right]);
  pthread_mutex_unlock(&forks[right]);
  pthread_mutex_unlock(&forks[left]);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; ++i) pthread_create(&threads[i], NULL, eat, (void*)i);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], NULL);
  return 0;
}
