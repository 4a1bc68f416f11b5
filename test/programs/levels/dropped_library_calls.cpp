// Library functions read what they are given, also where an optimiser would do without the call, or with less.
// expect: data-race
// expect: -D LENGTH=1 data-race
#include <cstdlib>
#include <cstring>
#include <thread>

char name[18] = "HOME";

int main() {
  std::thread thread([] {
#ifdef LENGTH
    if (std::strlen(name) == 0) std::abort();
#else
    std::free(strdup(name));
#endif
  });
  name[2] = 'X';
  thread.join();
}
