// quick_exit runs the handlers that were registered for it, the last one first, and no others.
// expect: --all none
// expect: -D TWICE=1 assertion
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

std::atomic<int> done{0};
int order = 0;

int main() {
  std::atexit([] { std::abort(); });
  std::at_quick_exit([] { assert(order == 1); });
  std::at_quick_exit([] {
    ++order;
#ifdef TWICE
    assert(done == 2);
#else
    assert(done == 1);
#endif
  });
  std::thread thread([] { ++done; });
  thread.join();
  std::quick_exit(0);
}
