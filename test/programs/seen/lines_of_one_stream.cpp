// Two threads take lines from one stream: a race at every level, also where std::getline is a call into the library.
// expect: data-race
// exempt: gcc
#include <sstream>
#include <string>
#include <thread>

static std::istringstream text("one\ntwo\n");

int main() {
  std::thread other([] {
    std::string line;
    std::getline(text, line);
  });
  std::string line;
  std::getline(text, line);
  other.join();
  return 0;
}
