// A handler runs in the thread that the signal is sent to, between any two of its accesses: it may come between reading
// and writing a counter, and its own count is lost.
// expect: --all assertion
// expect: --all --algorithm=exhaustive assertion
// expect: --all --algorithm=source-dpor assertion
// expect: --all --algorithm=unfolding assertion
// expect: --all -D BLOCKED=1 none
// expect: --all -D BLOCKED=1 --algorithm=exhaustive none
// expect: --all -D BLOCKED=1 --algorithm=unfolding none
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t count;
static _Atomic int handled;

static void handle(int signal) {
  (void)signal;
  count = count + 1;
  ++handled;
}

static void* worker(void* argument) {
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
#ifdef BLOCKED
  pthread_sigmask(SIG_BLOCK, &set, &before);
#endif
  count = count + 1;
#ifdef BLOCKED
  pthread_sigmask(SIG_SETMASK, &before, 0);
#endif
  (void)before;
  return argument;
}

int main(void) {
  pthread_t t;
  struct sigaction action = {0};
  action.sa_handler = handle;
  sigaction(SIGUSR1, &action, 0);
  pthread_create(&t, 0, worker, 0);
  assert(pthread_kill(t, 0) == 0);
  pthread_kill(t, SIGUSR1);
  pthread_join(t, 0);
  assert(count == 1 + handled);   // the signal may come when the thread has ended
  return 0;
}
