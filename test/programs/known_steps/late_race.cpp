// A race that shows only in executions late in the search, between a step that is long known and one that is new.
// followed: 0 of 1843
#include <atomic>
#include <thread>

std::atomic<int> x{0};
int plain;

int main() {
  std::thread a([] {
    for (int i = 0; i < 3; ++i) x = x + 1;
    plain = 1;
    x = x + 1;
  });
  std::thread b([] {
    for (int i = 0; i < 3; ++i) x = x + 1;
    if (x == 3) plain = 2;
  });
  a.join();
  b.join();
}
