// What the runtime needs from the system without going through libc, whose state belongs to the program under
// test and is rewound, and whose entry points are interposed.
#pragma once

#include <sys/syscall.h>

#include <cstddef>
#include <cstdint>

namespace heddle::runtime::raw {

inline long syscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

// All of it, however often the kernel interrupts; false on an error.
bool write_all(int fd, const void* data, std::size_t size);
bool read_all(int fd, void* data, std::size_t size);

// What is said later goes to where standard error leads now, even if the program has redirected it by then.
void keep_standard_error();
void print(const char* text);  // to standard error
[[noreturn]] void exit(int code);
// For what makes going on impossible and is neither the program's bug nor ours: one sentence, exit code 3.
[[noreturn]] void die(const char* sentence);
// A bug of ours, while nothing can be relied on: one sentence, exit code 70.
[[noreturn]] void internal_error(const char* sentence);

double seconds();  // monotonic

}  // namespace heddle::runtime::raw
