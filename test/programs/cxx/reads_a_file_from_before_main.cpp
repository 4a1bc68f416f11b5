// expect: none
// A file that a global constructor opened goes back to where it was, and streams are files too.
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <fstream>
#include <thread>

static const int before_main = open("/proc/self/stat", O_RDONLY);
static std::atomic<int> sum{0};

static void read_on() {
  char byte;
  ++sum;
  assert(read(before_main, &byte, 1) == 1);
  ++sum;
}

int main() {
  std::ifstream leaked("/dev/zero");
  assert(leaked.get() == 0);
  assert(lseek(before_main, 0, SEEK_CUR) == 0);
  std::thread one(read_on), two(read_on);
  one.join();
  two.join();
  assert(sum == 4 && lseek(before_main, 0, SEEK_CUR) == 2);
  new std::ifstream("/dev/null");
}
