// N - 1 threads set a, then b; one reads both, and must find them as one thread has left them. (In the manner of SCTBench's
// reorder.) With many threads a sampler has to hit one of few places among many.
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
#include <stdatomic.h>
#ifndef N
#define N 5
#endif
static atomic_int a, b;
static void *set(void *_) { a = 1; b = -1; return _; }
static void *check(void *_) {
  const int x = a, y = b;
  assert((x == 0 && y == 0) || (x == 1 && y == -1));
  return _;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; ++i) pthread_create(&t[i], 0, i == N - 1 ? check : set, 0);
  for (int i = 0; i < N; ++i) pthread_join(t[i], 0);
}
