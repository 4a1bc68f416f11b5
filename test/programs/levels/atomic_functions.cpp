// Functions that are called so are sections, in C and in C++.
// expect: --all classes=6 none
// expect: --all --algorithm=exhaustive classes=6 none
// expect: --all --algorithm=unfolding classes=6 none
#include <cassert>
#include <thread>

static int x, y;
extern "C" void __VERIFIER_atomic_increment() { x = x + 1; }
static int __VERIFIER_atomic_move(int by) {
  if (x < 0) return 0;
  x = x + by;
  y = y - by;
  return x + y;
}

int main() {
  std::thread t([] { __VERIFIER_atomic_increment(); }), u([] { __VERIFIER_atomic_increment(); });
  const int sum = __VERIFIER_atomic_move(3);
  assert(sum >= 0 && sum <= 2);
  t.join();
  u.join();
  assert(x == 5 && y == -3);
}
