// std::string's code is compiled into the program, so its races are seen.
// expect: data-race
#include <string>
#include <thread>

std::string shared = "a string too long for its inline buffer";

int main() {
  std::thread a([] { shared[3] = 'x'; });
  std::thread b([] { shared.append("y"); });
  a.join();
  b.join();
}
