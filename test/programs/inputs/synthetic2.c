// bench/programs/synthetic2.hed in C: five threads with inputs that meet in shared variables.
// expect: --all classes=14968 deadlocked=982 deadlock
// configurations: one
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock1 = PTHREAD_MUTEX_INITIALIZER, lock2 = PTHREAD_MUTEX_INITIALIZER;
static atomic_int s1, s2, s3;

static void *t1(void *argument) {
  atomic_store(&s1, heddle_input_int("s1"));
  const unsigned p = (unsigned)atomic_load(&s2);
  const unsigned q = (unsigned)atomic_load(&s3);
  const int r = atomic_load(&s1);
  if ((int)(q + p) > r) {
    pthread_mutex_lock(&lock1);
    pthread_mutex_lock(&lock2);
    atomic_store(&s3, (int)(5 * p));
    pthread_mutex_unlock(&lock2);
    pthread_mutex_unlock(&lock1);
  }
  return argument;
}

static void *t2(void *argument) {
  atomic_store(&s3, heddle_input_int("s3"));
  return argument;
}

static void *t3(void *argument) {
  const int l = heddle_input_int("l");
  const unsigned r = (unsigned)atomic_load(&s1);
  const unsigned q = (unsigned)atomic_load(&s3);
  if (l == (int)(r + q)) atomic_store(&s2, l);
  return argument;
}

static void *t4(void *argument) {
  const int i = heddle_input_int("i");
  const int q = atomic_load(&s3);
  if (i > q % 48) atomic_store(&s2, i);
  return argument;
}

int main(void) {
  void *(*const bodies[4])(void *) = {t1, t2, t3, t4};
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, bodies[i], 0);
  atomic_load(&s1);
  atomic_store(&s2, 1);
  if (heddle_input_int("main") > 10) {
    atomic_load(&s3);
  } else {
    pthread_mutex_lock(&lock2);
    pthread_mutex_lock(&lock1);
    pthread_mutex_unlock(&lock1);
    pthread_mutex_unlock(&lock2);
  }
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  return 0;
}
