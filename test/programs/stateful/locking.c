// Kähkönen's locking 1: one lock around groups of accesses, and only constants are written, so that states meet again. 2520 classes; the
// algorithms that remember states need an execution for each way that a thread can go, and for each pair of places whose writes
// follow each other.
// expect: --all --algorithm=optimal-dpor none classes=2520
// expect: --all --algorithm=stateful --max-executions=60 none
// expect: --all --algorithm=stateful-unfolding --max-executions=60 none
// expect: --all --algorithm=stateful --never='a==1&&b==1&&!locked(m)' none
// expect: --all --algorithm=stateful-unfolding --never='a==1&&b==1&&!locked(m)' none
// expect: --all --algorithm=stateful --never='a==4&&b==1&&!locked(m)' property
// expect: --all --algorithm=stateful-unfolding --never='a==4&&b==1&&!locked(m)' property
// expect: -D CARELESS=1 --all --algorithm=stateful assertion
// expect: -D CARELESS=1 --all --algorithm=stateful-unfolding assertion
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int a, b, c;
static int seen;

static void group(void) {
  pthread_mutex_lock(&m);
  a = 1;
  b = 4;
  c = 5;
  seen = a;
  pthread_mutex_unlock(&m);
}

static void second_and_c(void) {
  pthread_mutex_lock(&m);
  a = 2;
  seen = c;
  pthread_mutex_unlock(&m);
}

static void* first(void* unused) {
  group();
  second_and_c();
  return unused;
}

static void* second(void* unused) {
  second_and_c();
  group();
  return unused;
}

static void* third(void* unused) {
  pthread_mutex_lock(&m);
  a = 3;
  seen = b;
#ifdef CARELESS
  assert(!(b == 1 && c == 5));   // only if the fourth was here last
#endif
  pthread_mutex_unlock(&m);
  group();
  return unused;
}

static void* fourth(void* unused) {
  pthread_mutex_lock(&m);
  b = 1;
  a = 4;
  c = 5;
  seen = b;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  a = 2;
  seen = a;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  void* (*const bodies[])(void*) = {first, second, third, fourth};
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, bodies[i], NULL);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  return 0;
}
