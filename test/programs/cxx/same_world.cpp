// Every execution begins in the same world, whatever the one before has done to the process: folder, masks, limits,
// signals, timers, names, environment, locale.
// expect: --all none classes=2
// expect: --all --algorithm=source-dpor none classes=2
// flags: -Wno-unused-result
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <climits>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

static std::atomic<int> x{0};
static char start[PATH_MAX];

static void look() {
  getcwd(start, sizeof start);
  assert(std::string(start) != "/");
  const mode_t mask = umask(0);
  umask(mask);
  assert(mask != 0123);
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  assert(limit.rlim_cur != 99);
  char name[16];
  prctl(PR_GET_NAME, name);
  assert(std::strcmp(name, "changed") != 0);
  pthread_getname_np(pthread_self(), name, sizeof name);
  assert(std::strcmp(name, "named") != 0);
  struct sigaction action {};
  for (const int signal : {SIGUSR1, SIGSEGV, SIGTERM}) {
    sigaction(signal, nullptr, &action);
    assert(action.sa_handler == SIG_DFL);
  }
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  assert(!sigismember(&blocked, SIGUSR2));
  assert(sigpending(&blocked) == 0 && !sigismember(&blocked, SIGUSR2));
  stack_t stack{};
  sigaltstack(nullptr, &stack);
  assert(stack.ss_flags == SS_DISABLE);
  assert(alarm(0) == 0);
  itimerval timer{};
  getitimer(ITIMER_PROF, &timer);
  assert(timer.it_value.tv_sec == 0);
  assert(getenv("HEDDLE_TEST_OF_WORLDS") == nullptr);
  assert(std::strcmp(setlocale(LC_ALL, nullptr), "C") == 0);
}

static void change() {
  umask(0123);
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = 99;
  assert(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  prctl(PR_SET_NAME, "changed");
  pthread_setname_np(pthread_self(), "named");
  std::signal(SIGUSR1, [](int) { ++x; });
  std::signal(SIGSEGV, [](int) { _exit(0); });
  std::signal(SIGTERM, SIG_IGN);
  raise(SIGUSR1);
  raise(SIGTERM);
  assert(x == 3);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  raise(SIGUSR2);
  static char room[65536];
  const stack_t stack{room, 0, sizeof room};
  sigaltstack(&stack, nullptr);
  alarm(100);
  const itimerval timer{{0, 0}, {100, 0}};
  setitimer(ITIMER_PROF, &timer, nullptr);
  setenv("HEDDLE_TEST_OF_WORLDS", "1", 1);
  assert(setlocale(LC_ALL, "C.UTF-8") != nullptr);
  cpu_set_t processors;
  CPU_ZERO(&processors);
  CPU_SET(0, &processors);
  sched_setaffinity(0, sizeof processors, &processors);
  assert(chdir("/") == 0);
  assert(syscall(SYS_chdir, "/tmp") == 0);
}

int main() {
  look();
  std::thread a([] { x++; }), b([] { x++; });
  a.join();
  b.join();
  change();
}
