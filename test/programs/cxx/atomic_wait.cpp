// wait returns when the value has changed and it was told.
// expect: none
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> stage{0};

int main() {
  std::thread other([] {
    stage.wait(0);
    assert(stage == 1);
    stage = 2;
    stage.notify_one();
  });
  stage = 1;
  stage.notify_one();
  stage.wait(1);
  other.join();
  assert(stage == 2);
}
