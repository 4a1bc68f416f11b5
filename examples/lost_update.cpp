// Two visitors walk in at the same moment and one of them is not counted: the load and the store of
// `visitors = visitors + 1` are each atomic, the addition as a whole is not.
// expect: assertion
// pre-emptions: 1
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> visitors{0};

void enter() { visitors = visitors + 1; }

int main() {
  std::thread first(enter);
  std::thread second(enter);
  first.join();
  second.join();
  assert(visitors == 2);
}
