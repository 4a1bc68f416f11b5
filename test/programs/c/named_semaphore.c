// A semaphore with a name is mapped while it is open: each execution opens it itself, and a checkpoint behind that would
// not have the mapping any more.
// expect: --all none classes=2
// expect: --all --algorithm=source-dpor none classes=2
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static sem_t *guard;
static int added;

static void *add(void *argument) {
  sem_wait(guard);
  ++added;
  sem_post(guard);
  return argument;
}

int main(void) {
  char name[64];
  snprintf(name, sizeof name, "/heddle-%d", (int)getpid());
  guard = sem_open(name, O_CREAT | O_EXCL, 0600, 1);
  assert(guard != SEM_FAILED);
  sem_unlink(name);
  pthread_t one, other;
  pthread_create(&one, 0, add, 0);
  pthread_create(&other, 0, add, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  assert(added == 2);
  sem_close(guard);
  return 0;
}
