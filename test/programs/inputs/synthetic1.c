// bench/programs/synthetic1.hed in C.
// expect: --all classes=1316 deadlocked=254 deadlock
// configurations: one
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock1 = PTHREAD_MUTEX_INITIALIZER, lock2 = PTHREAD_MUTEX_INITIALIZER;
static atomic_int s1, s2, s3;

static void *setter(void *argument) {
  atomic_store(&s3, 1);
  atomic_store(&s2, heddle_input_int("s2"));
  const unsigned p = (unsigned)atomic_load(&s2);
  const unsigned q = (unsigned)atomic_load(&s3);
  if ((int)(q + p) > 10) {
    pthread_mutex_lock(&lock1);
    pthread_mutex_lock(&lock2);
    atomic_store(&s3, (int)(5 * p));
    pthread_mutex_unlock(&lock2);
    pthread_mutex_unlock(&lock1);
  }
  return argument;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, setter, 0);
  atomic_load(&s1);
  atomic_store(&s2, 1);
  if (heddle_input_int("main") > 10) {
  } else {
    pthread_mutex_lock(&lock2);
    pthread_mutex_lock(&lock1);
    pthread_mutex_unlock(&lock1);
    pthread_mutex_unlock(&lock2);
  }
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
