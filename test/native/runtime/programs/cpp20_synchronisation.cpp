// expect: verdict=no-bug exhausted=1 deadlocks=0
#include <assert.h>
#include <latch>
#include <semaphore>
#include <thread>

std::latch done{1};
std::counting_semaphore<2> tokens{0};
int x;

int main() {
  std::jthread t([] {
    tokens.acquire();
    assert(x == 1);
    done.count_down();
  });
  x = 1;
  tokens.release();
  done.wait();
}
