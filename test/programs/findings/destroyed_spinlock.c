// A spin lock is destroyed while the other thread may still take it.
// expect: --all mutex-misuse
#include <pthread.h>

static pthread_spinlock_t lock;
static int shared;

static void *work(void *argument) {
  pthread_spin_lock(&lock);
  ++shared;
  pthread_spin_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_spin_init(&lock, 0);
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_spin_lock(&lock);
  ++shared;
  pthread_spin_unlock(&lock);
  pthread_spin_destroy(&lock);
  pthread_join(t, 0);
  return 0;
}
