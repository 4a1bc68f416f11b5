// Kähkönen's updater, smaller: threads update a and b, each under its lock, by inputs; main looks at both. SWAPPED locks can deadlock.
// expect: --all --algorithm=optimal-dpor none
// expect: --all --algorithm=stateful none
// expect: --all --algorithm=stateful-unfolding none
// expect: -D SWAPPED=1 --all --algorithm=optimal-dpor deadlock
// expect: -D SWAPPED=1 --all --algorithm=stateful deadlock
// expect: -D SWAPPED=1 --all --algorithm=stateful-unfolding deadlock
// expect: -D CHECKED=1 --all --algorithm=optimal-dpor assertion
// expect: -D CHECKED=1 --all --algorithm=stateful assertion
// expect: -D CHECKED=1 --all --algorithm=stateful-unfolding assertion
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>

static pthread_mutex_t lock1 = PTHREAD_MUTEX_INITIALIZER, lock2 = PTHREAD_MUTEX_INITIALIZER;
static int a, b;

static void look(int v, pthread_mutex_t* one, pthread_mutex_t* two) {
  pthread_mutex_lock(one);
  pthread_mutex_lock(two);
  if (a == v) {
    b = b + a;
    a = 0;
  }
#ifdef CHECKED
  assert(b != 77);
#endif
  pthread_mutex_unlock(two);
  pthread_mutex_unlock(one);
}

static void* sets(void* unused) {
  if (heddle_input_int("which") == 1) {
    const int value = heddle_input_int("a");
    pthread_mutex_lock(&lock1);
    a = value;
    pthread_mutex_unlock(&lock1);
  } else {
    const int value = heddle_input_int("b");
    pthread_mutex_lock(&lock2);
    b = value;
    pthread_mutex_unlock(&lock2);
  }
  return unused;
}

static void* looks(void* unused) {
  look(heddle_input_int("v"), &lock1, &lock2);
  return unused;
}

int main(void) {
  pthread_t x, y;
  pthread_create(&x, NULL, sets, NULL);
  pthread_create(&y, NULL, looks, NULL);
#ifdef SWAPPED
  look(heddle_input_int("w"), &lock2, &lock1);
#else
  look(heddle_input_int("w"), &lock1, &lock2);
#endif
  pthread_join(x, NULL);
  pthread_join(y, NULL);
  return 0;
}
