// The turn of a wait on a futex looks at a mode, too: to be woken for no reason is no idle turn in one of them.
// expect: --all none assumes=no-spurious-wake-ups
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> word, strict;

int main() {
  std::thread waiter([] {
    while (word.load() == 0) {
      syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
      assert(strict.load() == 0 || word.load() != 0);
    }
  });
  strict = 1;
  word = 1;
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  waiter.join();
}
