// Handlers run in the thread that sends itself a signal, or when it stops blocking it; a fault is handed to its handler,
// which may jump out of it.
// expect: none classes=2
#include <atomic>
#include <cassert>
#include <csetjmp>
#include <csignal>
#include <thread>

static std::atomic<int> x{0};
static thread_local volatile int seen = 0;
static sigjmp_buf back;

static void note(int signal) {
  seen = signal;
  x.fetch_add(1);
}
static void jump(int) { siglongjmp(back, 1); }

static void sends_to_itself() {
  raise(SIGUSR1);
  assert(seen == SIGUSR1);
}

static void blocks() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  pthread_kill(pthread_self(), SIGUSR1);
  assert(seen == 0);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  assert(seen == SIGUSR1);
}

int main() {
  std::signal(SIGUSR1, note);
  std::signal(SIGSEGV, jump);
  std::thread a(sends_to_itself), b(blocks);
  a.join();
  b.join();
  assert(x == 2);
  for (int i = 0; i < 2; ++i) {
    if (sigsetjmp(back, 1) != 0) continue;
    *reinterpret_cast<volatile int *>(8) = 1;
    assert(false);
  }
}
