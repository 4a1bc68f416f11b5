#include "native/runtime/raw.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>

namespace heddle::runtime::raw {

bool write_all(int fd, const void* data, std::size_t size) {
  auto p = static_cast<const char*>(data);
  while (size > 0) {
    const long n = syscall(SYS_write, fd, reinterpret_cast<long>(p), static_cast<long>(size));
    if (n == -EINTR) continue;
    if (n <= 0) return false;
    p += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

bool read_all(int fd, void* data, std::size_t size) {
  auto p = static_cast<char*>(data);
  while (size > 0) {
    const long n = syscall(SYS_read, fd, reinterpret_cast<long>(p), static_cast<long>(size));
    if (n == -EINTR) continue;
    if (n <= 0) return false;
    p += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

namespace {

int standard_error = 2;

}  // namespace

void keep_standard_error() {
  constexpr long kBeyondThePrograms = 900;
  const long copy = syscall(SYS_fcntl, 2, F_DUPFD_CLOEXEC, kBeyondThePrograms);
  if (copy >= 0) standard_error = static_cast<int>(copy);
}

void print(const char* text) { write_all(standard_error, text, strlen(text)); }

void exit(int code) {
  syscall(SYS_exit_group, code);
  __builtin_unreachable();
}

void die(const char* sentence) {
  print("heddle: ");
  print(sentence);
  print("\n");
  exit(3);
}

void internal_error(const char* sentence) {
  print("heddle: internal error in the runtime: ");
  print(sentence);
  print("\n");
  exit(70);
}

double seconds() {
  timespec t{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, reinterpret_cast<long>(&t));
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

}  // namespace heddle::runtime::raw
