// A thread that nobody waits for uses a global object while its destructor runs at the end of the process.
// expect: use-after-free
#include <thread>
#include <vector>

std::vector<int> values(10, 1);

int main() {
  std::thread([] { values[3]++; }).detach();
  return 0;
}
