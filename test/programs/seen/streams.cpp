// A stream of one's own is not for two threads at once; std::cout is. Text that is written to it is read,
// and so is how a stream lays out, which manipulators change.
// expect: -D CASE=1 data-race
// expect: -D CASE=2 data-race
// expect: -D CASE=3 data-race
// expect: -D CASE=4 data-race
// expect: -D CASE=5 none
// expect: -D CASE=6 none
// expect: -D CASE=7 data-race
// expect: -D CASE=8 data-race
// expect: -D CASE=9 data-race
// expect: -D CASE=10 data-race
// expect: -D CASE=11 none
// expect: -D CASE=12 data-race
#include <cassert>
#include <iomanip>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
std::mutex m;
std::ostringstream log_;
std::istringstream words("12 ab 2.5");
std::string line = "text";
int number = 0;
void act(bool first) {
#if CASE == 1
  log_ << (first ? 1 : 2.5);
#elif CASE == 2
  if (first) std::cout << line;
  else line += "!";
#elif CASE == 3
  if (first) words >> number;
  else if (number == 3) std::cout << "three";
#elif CASE == 4
  std::string mine;
  words >> mine;
#elif CASE == 5
  std::cout << (first ? "one\n" : "two\n") << 3 << 2.5 << std::endl;
#elif CASE == 6
  std::lock_guard guard(m);
  log_ << "entry " << number++ << 1.5 << line << std::endl;
  if (!first) return;
  std::string mine;
  double d = 0;
  assert(words >> number >> mine >> d && number == 12 && mine == "ab" && d == 2.5);
#elif CASE == 7
  if (first) log_ << std::hex;
  else log_ << 7;
#elif CASE == 8
  if (first) log_ << std::setfill('0');
  else log_ << std::setw(3) << "a";
#elif CASE == 9
  if (first) log_ << std::endl;
  else log_ << std::flush;
#elif CASE == 10
  if (first) words.clear();
  else words >> std::ws;
#elif CASE == 11  // what is not laid out does not look at how it would be
  if (first) log_ << std::hex << std::setw(3);
  else log_.write("ab", 2);
#elif CASE == 12  // outputs may meet in std::cout, but not a change of how it lays out
  if (first) std::cout << std::setprecision(3);
  else std::cout << 2.5;
#endif
}
int main() {
  std::thread other([] { act(false); });
  act(true);
  other.join();
}
