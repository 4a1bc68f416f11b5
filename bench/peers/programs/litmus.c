// Litmus tests of the literature, each small enough to be counted by hand, in what Heddle and GenMC both compile.
// WHAT: 0 store buffering, 1 message passing, 2 two writers each (2+2W), 3 independent reads of independent writes, 4 N
// threads each add twice, 5 N threads store one object and load the next one's (a ring).
// expect: --memory=sc -D WHAT=0 none classes=3
// expect: --memory=c++20 -D WHAT=0 none classes=4
// expect: --memory=c++20 -D WHAT=0 -D STRONG=1 none classes=3
// expect: --memory=c++20 -D WHAT=1 none classes=4
// expect: --memory=c++20 -D WHAT=1 -D STRONG=1 none classes=3
// expect: --memory=c++20 -D WHAT=2 none classes=4
// expect: --memory=c++20 -D WHAT=3 none classes=16
// expect: --memory=c++20 -D WHAT=3 -D STRONG=1 none classes=15
// expect: --memory=c++20 -D WHAT=4 -D N=2 none classes=6
// expect: --memory=c++20 -D WHAT=4 -D N=3 none classes=90
// expect: --memory=sc -D WHAT=5 -D N=3 none classes=7
// expect: --memory=c++20 -D WHAT=5 -D N=3 none classes=8
#include <pthread.h>
#include <stdatomic.h>

#ifndef WHAT
#define WHAT 0
#endif
#ifndef N
#define N 3
#endif
#ifdef STRONG
#define ORDER memory_order_seq_cst
#else
#define ORDER memory_order_relaxed
#endif

static atomic_int x, y, cells[N];

static void put(atomic_int *object, int value) { atomic_store_explicit(object, value, ORDER); }
static int get(atomic_int *object) { return atomic_load_explicit(object, ORDER); }

static void *one(void *argument) {
  put(&x, 1);
  if (WHAT == 0) get(&y);
  if (WHAT == 1) put(&y, 1);
  if (WHAT == 2) put(&y, 2);
  return argument;
}

static void *two(void *argument) {
  if (WHAT == 0 || WHAT == 2 || WHAT == 3) put(&y, 1);
  if (WHAT == 0) get(&x);
  if (WHAT == 1) get(&y), get(&x);
  if (WHAT == 2) put(&x, 2);
  return argument;
}

static void *look(void *argument) {
  get(argument ? &x : &y);
  get(argument ? &y : &x);
  return argument;
}

static void *add_twice(void *argument) {
  atomic_fetch_add_explicit(&x, 1, ORDER);
  atomic_fetch_add_explicit(&x, 1, ORDER);
  return argument;
}

static void *next(void *argument) {
  atomic_int *own = argument;
  put(own, 1);
  get(own + 1 == cells + N ? cells : own + 1);
  return argument;
}

int main(void) {
  pthread_t threads[N < 4 ? 4 : N];
  int count = 0;
  if (WHAT >= 4) {
    for (; count < N; ++count) pthread_create(&threads[count], 0, WHAT == 4 ? add_twice : next, &cells[count]);
  } else {
    pthread_create(&threads[count++], 0, one, 0);
    pthread_create(&threads[count++], 0, two, 0);
  }
  if (WHAT == 3) {
    pthread_create(&threads[count++], 0, look, &x);
    pthread_create(&threads[count++], 0, look, 0);
  }
  while (count > 0) pthread_join(threads[--count], 0);
  return 0;
}
