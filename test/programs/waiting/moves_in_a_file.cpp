// A loop that moves on in a file.
// expect: --all assertion
// lseek, and file offset
#include <thread>
#include <unistd.h>
#include <fcntl.h>
#include <atomic>
#include <cassert>
std::atomic<bool> stop{false};
int main(){ int fd=open("/etc/passwd",O_RDONLY);
  std::thread t([&]{ while (!stop.load() && lseek(fd,1,SEEK_CUR)<4) {} assert(lseek(fd,0,SEEK_CUR)<4); });
  stop.store(true);
  t.join(); }
