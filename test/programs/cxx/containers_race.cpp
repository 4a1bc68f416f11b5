// Two threads append to one vector: the race is inside the library's code.
// expect: data-race
#include <thread>
#include <vector>

std::vector<int> shared;

int main() {
  shared.reserve(8);
  std::thread a([] { shared.push_back(1); });
  std::thread b([] { shared.push_back(2); });
  a.join();
  b.join();
}
