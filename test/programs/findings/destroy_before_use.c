// One thread destroys the mutex while another may not have used it yet. Only the destruction orders the two.
// expect: mutex-misuse
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int elsewhere;

static void *use(void *argument) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return argument;
}

static void *destroy(void *argument) {
  elsewhere = 1;
  pthread_mutex_destroy(&mutex);
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, use, 0);
  pthread_create(&second, 0, destroy, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
