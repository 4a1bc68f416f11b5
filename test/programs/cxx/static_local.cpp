// A static local is constructed once, by whoever comes first.
// expect: none
#include <cassert>
#include <thread>

int constructed = 0;
struct Service {
  int value;
  Service() : value(5) { ++constructed; }
};

Service& service() {
  static Service instance;
  return instance;
}

int main() {
  std::thread a([] { assert(service().value == 5); });
  std::thread b([] { assert(service().value == 5); });
  a.join();
  b.join();
  assert(constructed == 1);
}
