// A thread that waits in a loop and is sent a signal: what it waits for comes from another thread, or from its handler.
// expect: --all none
// expect: --all --algorithm=exhaustive none
// expect: --all --algorithm=unfolding none
// expect: --all -D BY_HANDLER=1 none
// expect: --all -D BY_HANDLER=1 --algorithm=exhaustive none
// expect: --all -D NEVER=1 livelock
// expect: --all -D CANCELLED=1 none
// counts: spinning
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static _Atomic int flag, handled;

static void handle(int signal) {
  (void)signal;
  ++handled;
#ifdef BY_HANDLER
  flag = 1;
#endif
}

static void* spins(void* argument) {
  while (!flag) {
#ifdef CANCELLED
    pthread_testcancel();
#endif
  }
  return argument;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, handle);
  pthread_create(&t, 0, spins, 0);
#ifdef CANCELLED
  pthread_cancel(t);
#else
  pthread_kill(t, SIGUSR1);
#endif
#if !defined(BY_HANDLER) && !defined(NEVER) && !defined(CANCELLED)
  flag = 1;
#endif
  pthread_join(t, 0);
  assert(handled <= 1);
  return 0;
}
