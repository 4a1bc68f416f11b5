// Two phases; the completion runs once each.
// expect: none
#include <barrier>
#include <cassert>
#include <thread>

int completions = 0;

int main() {
  std::barrier meet(2, []() noexcept { ++completions; });
  int x[2] = {0, 0};
  const auto work = [&](int own) {
    x[own] = 1;
    meet.arrive_and_wait();
    assert(x[1 - own] == 1);
    meet.arrive_and_wait();
    x[own] = 2;
  };
  {
    std::jthread a(work, 0);
    std::jthread b(work, 1);
  }
  assert(completions == 2 && x[0] == 2 && x[1] == 2);
}
