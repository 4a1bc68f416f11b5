// A barrier at which somebody arrives without waiting, or drops out, is the library's from the first execution that counts.
// expect: -D DROPS=1 none
// expect: -D DROPS=0 none
// expect: -D DROPS=2 --all deadlock
// exempt: isolation
// flags: -std=c++20
// counts: spinning
#include <barrier>
#include <cassert>
#include <thread>

int x;

int main() {
  std::barrier<> meet(2);
  std::thread other([&] {
    meet.arrive_and_wait();
    x = 1;
    if (DROPS == 1) meet.arrive_and_drop();
    if (DROPS == 0) (void)meet.arrive();
  });
  meet.arrive_and_wait();
  meet.arrive_and_wait();
  assert(x == 1);
  other.join();
}
