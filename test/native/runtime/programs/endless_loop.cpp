// No visible operation in the loop: ended by the clock, in the one class in which it is entered.
// expect: verdict=bug exhausted=1 classes=2 failed=1 finding:livelock=1
// options: --all --local-seconds=0.1
#include <atomic>
#include <thread>

std::atomic<int> x{0};
volatile int y;

int main() {
  std::thread t([] {
    if (x.load() == 1)
      for (;;) y = y + 1;
  });
  x.store(1);
  t.join();
}
