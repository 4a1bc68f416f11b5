// Kähkönen's dining and locking: everybody with one fork at the same time, which is the deadlock, and what can be seen of two
// variables that are written under one lock.
// expect: --reachable='held_by(forks[0],T1)&&held_by(forks[1],T2)&&held_by(forks[2],T3)' --all deadlock reachable
// expect: --reachable='held_by(forks[0],T1)&&held_by(forks[0],T2)' --all deadlock
// expect: --never='deadlock&&meals==3' --all deadlock
// expect: --never='deadlock&&meals==1' --all deadlock
// expect: --reachable='meals==3' --all deadlock reachable
// algorithms: source-dpor unfolding contextual-unfolding stateful stateful-unfolding
// configurations: one
#include <pthread.h>

#define N 3

pthread_mutex_t forks[N] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
int meals;

static void* eat(void* argument) {
  const int left = (int)(long)argument, right = (left + 1) % N;
  pthread_mutex_lock(&forks[left]);
  pthread_mutex_lock(&forks[right]);
  pthread_mutex_lock(&table);
  ++meals;
  pthread_mutex_unlock(&table);
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
