// A spin lock waits like any other.
// expect: classes=2 none
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
int x;

static void *work(void *argument) {
  pthread_spin_lock(&lock);
  ++x;
  pthread_spin_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(x == 2);
  return 0;
}
