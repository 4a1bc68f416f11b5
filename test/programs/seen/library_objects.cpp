// Objects of the C++ library whose members are in libstdc++: one thread changes what the other looks at.
// flags: -std=c++20
// expect: -D OBJECT=0 data-race
// expect: -D OBJECT=1 data-race
// expect: -D OBJECT=2 data-race
// expect: -D OBJECT=3 data-race
// expect: -D OBJECT=4 data-race
// expect: -D OBJECT=5 --all none assumes=nothing
#include <filesystem>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

std::filesystem::path path = "/a";
std::stringstream stream("1 2");
std::ostringstream output;
std::locale locale;
std::mutex mutex;

void change() {
  if (OBJECT == 0 || OBJECT == 1) path /= "b";
  if (OBJECT == 2) stream.str("7");
  if (OBJECT == 3) output.str("x");
  if (OBJECT == 4) locale = std::locale::classic();
  if (OBJECT == 5) {
    std::lock_guard lock(mutex);
    path /= "b";
    stream.str("7");
    output << path.string();
    std::cout << path << "\n" << std::flush;
  }
}

std::size_t look() {
  int i = 0;
  if (OBJECT == 0) return path.string().size();
  if (OBJECT == 1) return path.parent_path().string().size();
  if (OBJECT == 2) stream >> i;
  if (OBJECT == 3) output << 5;
  if (OBJECT == 4) return std::locale(locale) == std::locale::classic();
  if (OBJECT == 5) {
    std::lock_guard lock(mutex);
    stream >> i;
    output << i;
    std::cout << i << std::endl;
  }
  return 0;
}

int main() {
  std::thread other(change);
  look();
  other.join();
}
