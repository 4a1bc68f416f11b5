// Locals that are handed to a thread are shared memory like any other; what stays at home is not.
// expect: --all --races=explore none
// expect: --all data-race
#include <thread>

struct Point { int x = 0, y = 0; };

int main() {
  Point shared;
  int flag = 0, own = 0;
  std::thread t([&] {
    shared.x = 1;
    shared.x = 2;
    flag = shared.y;
  });
  shared.y = 3;
  const int first = shared.x, second = shared.x;
  for (int i = 0; i < 10; ++i) own += i;
  t.join();
  if (first == 2 && second != 2) return 1;
  return own != 45 || (flag != 0 && flag != 3);
}
