// A turn that sets a variable under one lock and sets it back under another one changes nothing, unless somebody has seen it
// in between who holds both locks. In a global variable, and in a local one of the thread that waits.
// exempt: gcc
// expect: --all assertion findings=1
// expect: -D LOCAL=1 --all assertion findings=1
// expect: -D RIGHT=1 --all none classes=1
// expect: -D RIGHT=1 -D LOCAL=1 --all none classes=1
// algorithms: every
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::mutex first, second;
std::atomic<int> go{0};
int seen = 0;

void look(const int& data) {
  {
    std::lock_guard a(first);
    std::lock_guard b(second);
    seen = data;
  }
  go.store(1);
}

void wait(int& data) {
  while (!go.load()) {
#ifdef RIGHT   // nobody is let in meanwhile
    std::lock_guard a(first);
    data = 1;
    data = 0;
#else
    {
      std::lock_guard a(first);
      data = 1;
    }
    std::lock_guard b(second);
    data = 0;
#endif
  }
  assert(seen == 0);
}

#ifndef LOCAL
int data = 0;
#endif

int main() {
#ifdef LOCAL
  int data = 0;
#endif
  std::thread looks([&] { look(data); });
  wait(data);
  looks.join();
}
