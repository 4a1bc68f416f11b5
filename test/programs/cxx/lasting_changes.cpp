// What cannot be undone makes every execution run in a process of its own: a descriptor that was open before main is
// closed, the process gives itself a session, a limit is lowered for good.
// exempt: rewound
// expect: --all none classes=2
// expect: --all --algorithm=source-dpor none classes=2
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

static std::atomic<int> x{0};

int main() {
  assert(fcntl(0, F_GETFD) != -1);
  assert(std::fflush(stdout) == 0 && fcntl(1, F_GETFD) != -1);
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  assert(limit.rlim_max == RLIM_INFINITY);
  const bool leads = getsid(0) == getpid();
  std::thread a([] { x++; }), b([] { x++; });
  a.join();
  b.join();
  close(0);
  std::fclose(stdout);
  limit.rlim_max = limit.rlim_cur = 1 << 20;
  assert(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  assert(leads || setsid() == getpid());
}
