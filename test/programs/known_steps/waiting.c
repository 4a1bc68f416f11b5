// Loops that wait: what they do next depends on whether they repeat themselves, and on the schedule.
// followed: 0 of 7
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, x;

static void *waits(void *argument) {
  (void)argument;
  while (flag == 0) {
  }
  x = x + 1;
  return NULL;
}

static void *sets(void *argument) {
  (void)argument;
  x = x + 1;
  x = x + 1;
  flag = 1;
  return NULL;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, waits, NULL);
  pthread_create(&t[1], NULL, waits, NULL);
  pthread_create(&t[2], NULL, sets, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], NULL);
  return 0;
}
