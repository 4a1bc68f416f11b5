// pthread_exit hands its value to join; a detached thread needs none; main may leave before it.
// expect: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *leave(void *argument) {
  pthread_exit(argument);
}

static void *detached(void *argument) {
  pthread_detach(pthread_self());
  ++done;
  return argument;
}

int main(void) {
  int token = 0;
  void *result = 0;
  pthread_t first, second;
  pthread_create(&first, 0, leave, &token);
  pthread_create(&second, 0, detached, 0);
  pthread_join(first, &result);
  assert(result == &token);
  pthread_exit(0);
}
