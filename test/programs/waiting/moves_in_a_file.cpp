// A loop that moves on in a file: where it stands the kernel keeps.
// expect: --all assertion
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> stop{false};

int main() {
  const int file = open("/etc/passwd", O_RDONLY);
  std::thread reader([&] {
    while (!stop && lseek(file, 1, SEEK_CUR) < 4) {}
    assert(lseek(file, 0, SEEK_CUR) < 4);
  });
  stop = true;
  reader.join();
}
