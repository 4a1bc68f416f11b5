// A thread that waits for something to do, and one that was detached, lose nothing when the process ends.
// expect: none
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t job = PTHREAD_COND_INITIALIZER;
static atomic_int seen;

static void *serve(void *argument) {
  pthread_mutex_lock(&lock);
  for (;;) pthread_cond_wait(&job, &lock);
  return argument;
}

static void *count(void *argument) {
  ++seen;
  return argument;
}

int main(void) {
  pthread_t server, counter;
  pthread_create(&server, 0, serve, 0);
  pthread_mutex_lock(&lock);   // the server has not begun, or it waits
  pthread_create(&counter, 0, count, 0);
  pthread_detach(counter);
  return 0;
}
