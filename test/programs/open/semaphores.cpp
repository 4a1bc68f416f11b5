// A counting semaphore admits one at a time here; a binary one signals.
// expect: none
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
