// Kähkönen's updater, smaller: inputs decide what is written. A branch on an input makes a path of its own, and the property is
// looked at on each; a value that follows from no branch may be any of its path.
// expect: --never='b==77&&a==5' property
// expect: --reachable='a==5&&b==77&&ended(T1)' reachable
// expect: --never='a==6' none
// expect: --never='b==1000&&!locked(lock2)' property
// expect: --always='a==0||a==5||a==9' none
// expect: -D FREE=1 --reachable='b==4242' reachable
// expect: -D FREE=1 --never='b==4242&&a==6' none
// expect: -D FREE=1 --always='b!=4242||a!=9' property
// algorithms: source-dpor unfolding contextual-unfolding stateful stateful-unfolding
// configurations: one
#include <heddle/heddle.h>
#include <pthread.h>

pthread_mutex_t lock1 = PTHREAD_MUTEX_INITIALIZER, lock2 = PTHREAD_MUTEX_INITIALIZER;
int a, b;

static void* sets_a(void* unused) {
  const int value = heddle_input_int("a");
  pthread_mutex_lock(&lock1);
  if (value == 5) a = 5;
  else if (value > 100) a = 9;
  pthread_mutex_unlock(&lock1);
  return unused;
}

static void* sets_b(void* unused) {
  const int value = heddle_input_int("b");
  pthread_mutex_lock(&lock2);
#ifdef FREE
  b = value;
#else
  b = value == 3 ? 77 : value == 4 ? 1000 : 2;
#endif
  pthread_mutex_unlock(&lock2);
  return unused;
}

int main(void) {
  pthread_t x, y;
  pthread_create(&x, NULL, sets_a, NULL);
  pthread_create(&y, NULL, sets_b, NULL);
  pthread_join(x, NULL);
  pthread_join(y, NULL);
  return 0;
}
