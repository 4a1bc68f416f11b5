// libstdc++'s own assertions are on.
// expect: abort
#include <thread>
#include <vector>

int main() {
  std::vector<int> numbers(3);
  std::thread user([&] { numbers[numbers.size()] = 1; });
  user.join();
}
