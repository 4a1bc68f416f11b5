// N - 1 threads set one thing under a lock, then another that goes with it under a second lock; one looks in between. (In the
// manner of SCTBench's twostage.)
// expect: --algorithm=surw --seed=1 --races=ignore --max-executions=3000 -D N=5 assertion
// expect: --algorithm=surw --seed=2 --races=ignore --max-executions=3000 -D N=5 assertion
// expect: --algorithm=surw --seed=3 --races=ignore --max-executions=3000 -D N=5 assertion
// expect: --algorithm=surw --seed=1 --races=ignore --max-executions=3000 -D N=100 assertion
// expect: --algorithm=surw --seed=2 --races=ignore --max-executions=3000 -D N=100 assertion
// expect: --algorithm=surw --seed=3 --races=ignore --max-executions=3000 -D N=100 assertion
// expect: --algorithm=rff --seed=1 --races=ignore --max-executions=3000 -D N=5 assertion
// expect: --algorithm=rff --seed=2 --races=ignore --max-executions=3000 -D N=5 assertion
// expect: --algorithm=rff --seed=3 --races=ignore --max-executions=3000 -D N=5 assertion
// expect: --algorithm=rff --seed=1 --races=ignore --max-executions=3000 -D N=100 assertion
// expect: --algorithm=rff --seed=2 --races=ignore --max-executions=3000 -D N=100 assertion
// expect: --algorithm=rff --seed=3 --races=ignore --max-executions=3000 -D N=100 assertion
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 2
#endif
static int d1, d2;
static pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
static void *a(void *_) {
  pthread_mutex_lock(&m1); d1 = 1; pthread_mutex_unlock(&m1);
  pthread_mutex_lock(&m2); d2 = d1 + 1; pthread_mutex_unlock(&m2);
  return _;
}
static void *b(void *_) {
  pthread_mutex_lock(&m1);
  if (d1 == 0) { pthread_mutex_unlock(&m1); return _; }
  const int t1 = d1;
  pthread_mutex_unlock(&m1);
  pthread_mutex_lock(&m2); const int t2 = d2; pthread_mutex_unlock(&m2);
  assert(t2 == t1 + 1);
  return _;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; ++i) pthread_create(&t[i], 0, i == N - 1 ? b : a, 0);
  for (int i = 0; i < N; ++i) pthread_join(t[i], 0);
}
