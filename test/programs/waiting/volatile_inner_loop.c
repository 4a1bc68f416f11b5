// Waiting on plain memory in an inner loop over several places: the thread comes round after several turns of that.
// expect: data-race
// expect: --races=explore --all none
#include <pthread.h>

static volatile int flag[3];

static void *set(void *argument) {
  for (int i = 0; i < 3; i++) flag[i] = 1;
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  int all;
  do {
    all = 1;
    for (int i = 2; i >= 0; i--) all &= flag[i];
  } while (!all);
  pthread_join(t, 0);
  return 0;
}
