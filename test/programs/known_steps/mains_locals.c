// Threads leave what they saw in locals of main's, which looks at them when it has joined both: the frames of main belong to
// what threads share.
// followed: 668 of 736
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *work(void *argument) {
  for (int i = 0; i < 3; ++i) x = x + 1;
  *(long *)argument = x;
  return NULL;
}

int main(void) {
  long seen[2];
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, work, &seen[i]);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  assert(seen[0] != 2 || seen[1] != 2);
  return 0;
}
