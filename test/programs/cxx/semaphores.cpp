// A counting semaphore admits one at a time here; a binary one signals. Each call is one step. In libstdc++'s code, which
// is what is run with HEDDLE_LIBRARY_BARRIERS, there is a deadlock of its own (known elsewhere, pytorch/pytorch#177884):
// acquire() reads the count, finds it 0 sixteen times, and goes to sleep on the value it read first; if the count has
// been 1, 0 and 1 again, nobody wakes it. With POSIX semaphores underneath there is none.
// expect: none classes=2
// expect: -D HEDDLE_LIBRARY_BARRIERS=1 deadlock
// expect: -D HEDDLE_LIBRARY_BARRIERS=1 -D _GLIBCXX_USE_POSIX_SEMAPHORE=1 classes=2 none
#include <cassert>
#include <semaphore>
#include <thread>

std::counting_semaphore<4> permits(1);
std::binary_semaphore done(0);
int x = 0;

int main() {
  std::thread a([] {
    permits.acquire();
    ++x;
    permits.release();
    done.release();
  });
  permits.acquire();
  ++x;
  permits.release();
  done.acquire();
  a.join();
  assert(x == 2);
}
