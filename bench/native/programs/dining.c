// Dining philosophers: philosopher i takes fork i, then fork i-1, puts them back in reverse order; twice.
// expect: --all -D N=4 classes=831 deadlocked=45 deadlock
// expect: --all -D N=5 classes=5851 deadlocked=121 deadlock
// slow: --all -D N=6 classes=38786 deadlocked=320 deadlock
// slow: --all -D N=7 classes=248011 deadlocked=841 deadlock
#include "start.h"

#ifndef N
#define N 4
#endif

static pthread_mutex_t forks[N];

static void dine(int seat) {
  pthread_mutex_t *left = &forks[seat];
  pthread_mutex_t *right = &forks[(seat + N - 1) % N];
  for (int meal = 0; meal < 2; ++meal) {
    pthread_mutex_lock(left);
    pthread_mutex_lock(right);
    pthread_mutex_unlock(right);
    pthread_mutex_unlock(left);
  }
}

int main(void) {
  for (int i = 0; i < N; ++i) pthread_mutex_init(&forks[i], NULL);
  for (int i = 0; i < N; ++i) start_thread(dine, i);
  join_all();
  return 0;
}
