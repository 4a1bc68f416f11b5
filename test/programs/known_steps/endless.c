// A thread that never ends is cut by the step bound, known or not.
// options: --max-steps=20
// followed: 0 of 3
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *looks(void *argument) {
  for (int i = 0; i < 15; ++i) atomic_fetch_xor(&y, 1);
  atomic_load(&x);
  return argument;
}

static void *never_ends(void *argument) {
  for (;;) atomic_fetch_xor(&x, 1);
  return argument;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, looks, NULL);
  pthread_create(&t[1], NULL, never_ends, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  return 0;
}
