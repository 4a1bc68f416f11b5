// Everything a run leaves behind is gone in the next: globals, containers, statics, stdio, errno.
// expect: verdict=no-bug exhausted=1 classes=4
#include <assert.h>
#include <atomic>
#include <errno.h>
#include <map>
#include <string>
#include <thread>
#include <vector>

std::atomic<int> x{0};
std::map<std::string, int> names = {{"one", 1}};
std::vector<int> numbers(1000, 7);
int runs = 0;

int main() {
  assert(runs++ == 0 && names.size() == 1 && numbers.size() == 1000 && numbers[999] == 7 && errno == 0);
  static std::string text = "fresh";
  assert(text == "fresh");
  text += std::string(100, 'x');
  names["two"] = 2;
  numbers[999] = 8;
  numbers.push_back(1);
  errno = ERANGE;
  auto body = [] { x.store(x.load() + 1); };
  std::thread a(body), b(body);
  a.join();
  b.join();
}
