// atomic::wait and notify, there and back. The bug: nobody is notified on the way back.
// expect: none classes=47
// expect: -D BUG=1 deadlock
// algorithms: every
// counts: spinning
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> stage{0};
int data = 0;

int main() {
  std::thread there([] {
    data = 1;
    stage.store(1);
    stage.notify_one();
    stage.wait(1);
    assert(data == 2);
  });
  std::thread back([] {
    stage.wait(0);
    assert(data == 1);
    data = 2;
    stage.store(2);
#ifndef BUG
    stage.notify_one();
#endif
  });
  there.join();
  back.join();
}
