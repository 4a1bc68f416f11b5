// A signal without SA_RESTART ends a wait for a semaphore; with it the wait goes on for ever. One that nobody handles ends
// the program.
// expect: --all none classes=6
// expect: --all --algorithm=exhaustive none classes=6
// expect: --all --algorithm=unfolding none
// expect: --all -D RESTART=1 deadlock
// expect: --all -D NOBODY=1 crash
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t none;
static int started;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void handle(int signal) { (void)signal; }

static void* worker(void* argument) {
  pthread_mutex_lock(&lock);
  started = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  const int result = sem_wait(&none);
  if (result != 0) assert(errno == EINTR);
  return argument;
}

int main(void) {
  pthread_t t;
#ifndef NOBODY
  struct sigaction action = {0};
  action.sa_handler = handle;
#ifdef RESTART
  action.sa_flags = SA_RESTART;
#endif
  sigaction(SIGUSR1, &action, 0);
#endif
  sem_init(&none, 0, 0);
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&lock);
  while (!started) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  pthread_kill(t, SIGUSR1);
#ifndef RESTART
  sem_post(&none);
#endif
  pthread_join(t, 0);
  return 0;
}
