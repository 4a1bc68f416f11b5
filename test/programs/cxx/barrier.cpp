// Two phases; the completion runs once each. In the second one thread only arrives: both waiting twice, the turns of the
// library's waiting loops multiply to 82,570 classes. (19,639 before loops that only look and count hurried on to where
// they give up.)
// By default its futex waits are also left for no reason (spurious.h), which makes no difference: they look again. (15,176 as long
// as a wake-up that was not chosen kept a turn from being in vain.)
// expect: --spurious=off none classes=8222
// expect: none classes=8222
// counts: spinning
#include <barrier>
#include <cassert>
#include <thread>

int completions = 0;

int main() {
  std::barrier meet(2, []() noexcept { ++completions; });
  int x[2] = {0, 0};
  const auto first_phase = [&](int own) {
    x[own] = 1;
    meet.arrive_and_wait();
    assert(x[1 - own] == 1);
  };
  std::thread other([&] {
    first_phase(0);
    (void)meet.arrive();
  });
  first_phase(1);
  meet.arrive_and_wait();
  assert(completions == 2);
  other.join();
}
