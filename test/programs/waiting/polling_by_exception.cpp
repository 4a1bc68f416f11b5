// A look in vain is told by an exception, which is allocated and freed in each turn. The bug: nobody sets the flag.
// expect: none classes=1
// expect: -D BUG=1 livelock
// algorithms: every
// exempt: gcc
#include <atomic>
#include <stdexcept>
#include <thread>

std::atomic<int> flag;

static void look() {
  if (flag.load() == 0) throw std::runtime_error("not yet, says a text that is too long to be kept in place");
}

int main() {
  std::thread thread([] {
#ifndef BUG
    flag = 1;
#endif
  });
  for (;;) try {
      look();
      break;
    } catch (const std::exception&) {
    }
  thread.join();
}
