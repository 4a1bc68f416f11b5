// One indivisible read-modify-write counts everybody.
// expect: none
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> visitors{0};

void enter() { ++visitors; }

int main() {
  std::thread first(enter);
  std::thread second(enter);
  first.join();
  second.join();
  assert(visitors == 2);
}
