// One thread waits for signals that all block, another sends them. To look whether a handler has run and then to pause
// is too late; sigsuspend does both at once.
// expect: --all none
// expect: --all --algorithm=exhaustive none
// expect: --all --algorithm=source-dpor none
// expect: --all --algorithm=unfolding none
// expect: --all -D LOST=1 deadlock
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int payload;
static volatile sig_atomic_t handled;

static void handle(int signal) { handled = signal; }

static void* takes(void* argument) {
  sigset_t set;
  int signal = 0;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGTERM);
  sigwait(&set, &signal);
  assert(signal == SIGUSR1 && payload == 7);
  sigwait(&set, &signal);
  assert(signal == SIGTERM);
  // Looks before it waits; the signal may come in between.
  sigset_t unblocked;
  sigemptyset(&unblocked);
#ifdef LOST
  pthread_sigmask(SIG_SETMASK, &unblocked, 0);
  if (!handled) pause();
#else
  while (!handled) sigsuspend(&unblocked);
  pthread_sigmask(SIG_SETMASK, &unblocked, 0);
#endif
  assert(handled == SIGUSR2);
  handled = 0;
  return argument;
}

int main(void) {
  pthread_t t;
  sigset_t all;
  struct sigaction action = {0};
  action.sa_handler = handle;
  sigaction(SIGUSR2, &action, 0);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, 0);
  pthread_create(&t, 0, takes, 0);
  payload = 7;
  pthread_kill(t, SIGUSR1);
  pthread_kill(t, SIGTERM);
  pthread_kill(t, SIGUSR2);
  pthread_join(t, 0);
  return 0;
}
