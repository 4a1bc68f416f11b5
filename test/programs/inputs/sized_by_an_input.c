// Memory whose size is an input: each size that is possible is explored, if they are few.
// expect: none classes=10
// expect: -D SHORT=1 heap-overflow
// expect: -D ANY=1 inconclusive
// configurations: one
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#ifndef SHORT
#define SHORT 0
#endif
#ifndef ANY
#define ANY 0
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;
static pthread_t *volatile kept;

static void *add(void *unused) {
  pthread_mutex_lock(&mutex);
  ++count;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  const int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0 && (ANY || n <= 3));
  pthread_t *thread = malloc(sizeof(pthread_t) * (unsigned long)(n == 3 && SHORT ? 2 : n));
  if (ANY) {
    kept = thread;
    return 0;
  }
  for (int i = 0; i < n; ++i) pthread_create(&thread[i], 0, add, 0);
  for (int i = 0; i < n; ++i) pthread_join(thread[i], 0);
  assert(count == n);
  free(thread);
  return 0;
}
