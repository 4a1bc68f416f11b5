// Back-off (backoff_same_lock.c) with something that is read in the middle of a turn and changes: not every turn is like the one before,
// though its steps are. Who has seen the change goes in with one lock.
// expect: data-race
// algorithms: every
// exempt: gcc
#include "together.h"

pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
pthread_mutex_t of_hurry = PTHREAD_MUTEX_INITIALIZER;
int hurry;

static int look(void) {
  pthread_mutex_lock(&of_hurry);
  int r = hurry;
  pthread_mutex_unlock(&of_hurry);
  return r;
}

static void *one(void *argument) {
  for (;;) {
    pthread_mutex_lock(&mutex[0]);
    int urgent = look();
    if (pthread_mutex_trylock(&mutex[1]) == 0)
      break;
    pthread_mutex_unlock(&mutex[0]);
    if (urgent) {
      critical_section();
      return argument;
    }
  }
  critical_section();
  pthread_mutex_unlock(&mutex[1]);
  pthread_mutex_unlock(&mutex[0]);
  return argument;
}

static void *other(void *argument) {
  for (;;) {
    pthread_mutex_lock(&mutex[1]);
    if (pthread_mutex_trylock(&mutex[0]) == 0)
      break;
    pthread_mutex_unlock(&mutex[1]);
    pthread_mutex_lock(&of_hurry);
    hurry = 1;
    pthread_mutex_unlock(&of_hurry);
  }
  critical_section();
  pthread_mutex_unlock(&mutex[0]);
  pthread_mutex_unlock(&mutex[1]);
  return argument;
}

int main(void) { both(one, other); }
