// A change without a notification is not noticed by who already sleeps.
// expect: deadlock
#include <atomic>
#include <thread>

std::atomic<int> stage{0};

int main() {
  std::thread other([] { stage.wait(0); });
  stage = 1;
  other.join();
}
