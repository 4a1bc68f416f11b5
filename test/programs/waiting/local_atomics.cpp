// Atomic objects among the waiting function's own variables are no part of how it stands: others count in one of them, and that is no
// concern of who looks at the other. As many classes as with global ones.
// expect: --all none classes=40
// expect: -D GLOBAL=1 --all none classes=40
// algorithms: every
#include <atomic>
#include <cassert>
#include <thread>

#ifdef GLOBAL
std::atomic<int> done{0}, n{0};
#endif

int main() {
#ifndef GLOBAL
  std::atomic<int> done{0}, n{0};
#endif
  auto work = [&] {
    n++;
    n++;
    n++;
    done++;
  };
  std::thread a(work), b(work);
  while (done.load() < 2) {
  }
  a.join();
  b.join();
  assert(n == 6);
}
