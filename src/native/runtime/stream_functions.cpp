// printf and its like, and functions of the C library that move buffers of the program from and to files. What a stream
// (FILE) holds is guarded by its own lock; here it is about the memory of the program: buffers, strings for %s, numbers
// for %n, targets of sscanf.
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>

#include "native/runtime/io_order.h"
#include "native/runtime/library_call.h"
#include "native/runtime/requests.h"
#include "native/runtime/spinning.h"

using namespace heddle::runtime;

#define PC __builtin_return_address(0)

namespace {

// One conversion of a format: "%-8.3ls".
struct Conversion {
  int width_arguments = 0;  // given by '*'
  bool precision_argument = false;
  std::size_t precision = SIZE_MAX;
  bool suppressed = false;  // '*' of scanf
  std::size_t width = 0;    // of scanf
  char length[3] = {};
  char kind = 0;
};

// Reads what follows '%'; false: of a form that is not looked into (%1$d).
bool parse(const char*& f, bool scan, Conversion& c) {
  c = {};
  if (scan && *f == '*') {
    c.suppressed = true;
    ++f;
  }
  while (*f != 0 && strchr("-+ #0'I", *f) && !(scan && *f != '\'' && *f != 'I')) ++f;
  if (*f == '*') {
    ++c.width_arguments;
    ++f;
  }
  for (; *f >= '0' && *f <= '9'; ++f) c.width = c.width * 10 + static_cast<std::size_t>(*f - '0');
  if (*f == '$') return false;
  if (*f == '.') {
    ++f;
    c.precision = 0;
    if (*f == '*') {
      c.precision_argument = true;
      ++f;
    }
    for (; *f >= '0' && *f <= '9'; ++f) c.precision = c.precision * 10 + static_cast<std::size_t>(*f - '0');
  }
  for (std::size_t n = 0; n < 2 && *f != 0 && strchr("hlqLjzt", *f); ++f) c.length[n++] = *f;
  c.kind = *f;
  if (*f != 0) ++f;
  return c.kind != 0;
}

std::size_t integer_size(const Conversion& c) {
  if (c.length[0] == 'h') return c.length[1] == 'h' ? 1 : 2;
  return c.length[0] == 0 ? sizeof(int) : sizeof(long);
}

struct Arguments {
  va_list list;
};

void announce_output(LibraryCall& call, const char* format, Arguments arguments) {
  call.reads_string(format);
  for (const char* f = strchr(format, '%'); f != nullptr; f = strchr(f, '%')) {
    Conversion c;
    if (!parse(++f, false, c)) return;
    for (int i = 0; i < c.width_arguments; ++i) va_arg(arguments.list, int);
    if (c.precision_argument) {
      const int precision = va_arg(arguments.list, int);
      c.precision = precision < 0 ? SIZE_MAX : static_cast<std::size_t>(precision);
    }
    const bool wide = c.length[0] == 'l';
    switch (c.kind) {
      case '%':
      case 'm':
        break;
      case 's':
        if (const char* s = va_arg(arguments.list, const char*); s != nullptr && !wide)
          call.reads_string(s, c.precision);
        else if (s != nullptr)
          call.reads_wide_string(reinterpret_cast<const wchar_t*>(s), c.precision);
        break;
      case 'n':
        call.writes(va_arg(arguments.list, void*), integer_size(c));
        break;
      case 'a':
      case 'A':
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
        if (c.length[0] == 'L')
          va_arg(arguments.list, long double);
        else
          va_arg(arguments.list, double);
        break;
      default:
        if (integer_size(c) == sizeof(long) || c.kind == 'p')
          va_arg(arguments.list, long);
        else
          va_arg(arguments.list, int);
    }
  }
}

void announce_input(LibraryCall& call, const char* format, Arguments arguments) {
  for (const char* f = strchr(format, '%'); f != nullptr; f = strchr(f, '%')) {
    Conversion c;
    if (!parse(++f, true, c)) return;
    if (c.kind == '[') {
      if (*f == '^') ++f;
      if (*f == ']') ++f;
      f += strcspn(f, "]");
    }
    if (c.kind == '%' || c.suppressed) continue;
    void* target = va_arg(arguments.list, void*);
    if (strchr("aAeEfFgG", c.kind))
      call.writes(target, c.length[0] == 'L'   ? sizeof(long double)
                          : c.length[0] == 'l' ? sizeof(double)
                                               : sizeof(float));
    else if (c.kind == 'c')
      call.writes(target, std::max<std::size_t>(c.width, 1));
    else if (c.kind == 's' || c.kind == '[')
      call.writes(target, 1);  // how much more is known when it is done
    else
      call.writes(target, c.kind == 'p' ? sizeof(void*) : integer_size(c));
  }
}

// What a call that is to print them reads.
void announce_printed(LibraryCall& call, const char* format, va_list list) {
  Arguments copy;
  va_copy(copy.list, list);
  announce_output(call, format, copy);
  va_end(copy.list);
}

int print_to_stream(FILE* stream, const char* format, va_list list, const void* pc) {
  use_stream(stream, Use::kAppends, pc);
  LibraryCall call(pc);
  if (call.on()) announce_printed(call, format, list);
  return call.perform([&] { return vfprintf(stream, format, list); });
}

int print_to_buffer(char* to, std::size_t room, const char* format, va_list list, const void* pc) {
  LibraryCall call(pc);
  if (call.on()) {
    announce_printed(call, format, list);
    const int n = call.perform([&] {
      va_list again;
      va_copy(again, list);
      const int length = vsnprintf(nullptr, 0, format, again);
      va_end(again);
      return length;
    });
    if (n >= 0) call.writes(to, std::min(static_cast<std::size_t>(n) + 1, room));
  }
  return call.perform([&] { return vsnprintf(to, room, format, list); });
}

// Into memory that is allocated for it, whose address goes where `to` says.
int print_to_new_memory(char** to, const char* format, va_list list, const void* pc) {
  LibraryCall call(pc);
  if (call.on()) {
    announce_printed(call, format, list);
    call.writes(to, sizeof *to);
  }
  return call.perform([&] { return vasprintf(to, format, list); });
}

int print_to_descriptor(int fd, const char* format, va_list list, const void* pc) {
  if (fd > STDERR_FILENO) note_hidden_change();
  use_descriptor(fd, DescriptorUse::kWrites, 1, pc);
  LibraryCall call(pc);
  if (call.on()) announce_printed(call, format, list);
  return call.perform([&] { return vdprintf(fd, format, list); });
}

// Strings that were read are longer than was said before; `converted`: how many conversions were made.
void announce_strings(const char* format, Arguments arguments, int converted, const void* pc) {
  for (const char* f = strchr(format, '%'); f != nullptr && converted > 0; f = strchr(f, '%')) {
    Conversion c;
    if (!parse(++f, true, c)) return;
    if (c.kind == '[') {
      if (*f == '^') ++f;
      if (*f == ']') ++f;
      f += strcspn(f, "]");
    }
    if (c.kind == '%' || c.suppressed) continue;
    const void* target = va_arg(arguments.list, void*);
    if (c.kind != 'n') --converted;
    if ((c.kind != 's' && c.kind != '[') || c.length[0] != 0) continue;
    LibraryCall call(pc);
    call.writes(const_cast<void*>(target), strlen(static_cast<const char*>(target)) + 1);
    call.perform([] {});
  }
}

// Reads by `function` what the format says, from a string (`from`) or a stream.
template <class F>
int scan(const char* from, const char* format, va_list list, F&& function, const void* pc) {
  Arguments copy;
  va_copy(copy.list, list);
  int converted;
  {
    LibraryCall call(pc);
    if (call.on()) {
      if (from) call.reads_string(from);
      Arguments announced;
      va_copy(announced.list, list);
      announce_input(call, format, announced);
      va_end(announced.list);
    }
    converted = call.perform([&] { return function(list); });
  }
  if (controlled()) announce_strings(format, copy, converted, pc);
  va_end(copy.list);
  return converted;
}

int scan_string(const char* from, const char* format, va_list list, const void* pc) {
  return scan(from, format, list, [&](va_list l) { return vsscanf(from, format, l); }, pc);
}
int scan_stream(FILE* stream, const char* format, va_list list, const void* pc) {
  note_hidden_change();
  use_stream(stream, Use::kChanges, pc);
  return scan(nullptr, format, list, [&](va_list l) { return vfscanf(stream, format, l); }, pc);
}

// Is there room for all of it, as far as is known?
bool fits(const void* buffer, std::size_t size) {
  return size == 0 || !Heap::contains(buffer) || heap.accessible(reinterpret_cast<std::uintptr_t>(buffer), size);
}

// A function that fills up to `size` bytes of a buffer and says how many. Others must not see them before their step,
// and what is too much for the buffer is found before it is there.
template <class Fill, class Filled>
auto fill(void* buffer, std::size_t size, Fill&& function, Filled&& bytes_of, const void* pc) {
  note_hidden_change();
  if (!controlled() || (!any_visible(reinterpret_cast<std::uintptr_t>(buffer), size) && fits(buffer, size))) {
    const auto result = function(buffer);
    LibraryCall call(pc);
    call.writes(buffer, bytes_of(result, buffer));
    return result;
  }
  void* aside = malloc(size);
  const auto result = function(aside);
  LibraryCall call(pc);
  const std::size_t n = bytes_of(result, aside);
  call.writes(buffer, n);
  call.perform([&] { memcpy(buffer, aside, n); });
  free(aside);
  return result;
}

// Of calls that wait in the kernel.
bool is_interrupted(const void* pc) {
  const bool interrupted = cancellation_point(pc, Interrupted::kUnlessRestarted);
  leave_cancellation_point();
  if (interrupted) errno = EINTR;
  return interrupted;
}

template <class F>
auto print(F&& function, const char* s, const void* pc) {
  LibraryCall call(pc);
  call.reads_string(s);
  return call.perform(function);
}

}  // namespace

// `list` is what follows the last named parameter.
#define WITH_LIST(last, expression) \
  va_list list;                     \
  va_start(list, last);             \
  const int result = (expression);  \
  va_end(list);                     \
  return result

extern "C" {

int __wrap_printf(const char* format, ...) { WITH_LIST(format, print_to_stream(stdout, format, list, PC)); }
int __wrap_fprintf(FILE* f, const char* format, ...) { WITH_LIST(format, print_to_stream(f, format, list, PC)); }
int __wrap_vprintf(const char* format, va_list list) { return print_to_stream(stdout, format, list, PC); }
int __wrap_vfprintf(FILE* f, const char* format, va_list list) { return print_to_stream(f, format, list, PC); }
int __wrap___printf_chk(int, const char* format, ...) { WITH_LIST(format, print_to_stream(stdout, format, list, PC)); }
int __wrap___fprintf_chk(FILE* f, int, const char* format, ...) {
  WITH_LIST(format, print_to_stream(f, format, list, PC));
}
int __wrap_sprintf(char* to, const char* format, ...) {
  WITH_LIST(format, print_to_buffer(to, SIZE_MAX / 2, format, list, PC));
}
int __wrap_snprintf(char* to, std::size_t room, const char* format, ...) {
  WITH_LIST(format, print_to_buffer(to, room, format, list, PC));
}
int __wrap_vsprintf(char* to, const char* format, va_list list) {
  return print_to_buffer(to, SIZE_MAX / 2, format, list, PC);
}
int __wrap_vsnprintf(char* to, std::size_t room, const char* format, va_list list) {
  return print_to_buffer(to, room, format, list, PC);
}
int __wrap___sprintf_chk(char* to, int, std::size_t room, const char* format, ...) {
  WITH_LIST(format, print_to_buffer(to, room, format, list, PC));
}
int __wrap___snprintf_chk(char* to, std::size_t n, int, std::size_t room, const char* format, ...) {
  if (n > room) abort();
  WITH_LIST(format, print_to_buffer(to, n, format, list, PC));
}
int __wrap___vsnprintf_chk(char* to, std::size_t n, int, std::size_t room, const char* format, va_list list) {
  if (n > room) abort();
  return print_to_buffer(to, n, format, list, PC);
}
int __wrap_asprintf(char** to, const char* format, ...) {
  WITH_LIST(format, print_to_new_memory(to, format, list, PC));
}
int __wrap_vasprintf(char** to, const char* format, va_list list) { return print_to_new_memory(to, format, list, PC); }
int __wrap___asprintf_chk(char** to, int, const char* format, ...) {
  WITH_LIST(format, print_to_new_memory(to, format, list, PC));
}
int __wrap_dprintf(int fd, const char* format, ...) { WITH_LIST(format, print_to_descriptor(fd, format, list, PC)); }
int __wrap_vdprintf(int fd, const char* format, va_list list) { return print_to_descriptor(fd, format, list, PC); }
int __wrap_sscanf(const char* from, const char* format, ...) { WITH_LIST(format, scan_string(from, format, list, PC)); }
int __wrap___isoc99_sscanf(const char* from, const char* format, ...) {
  WITH_LIST(format, scan_string(from, format, list, PC));
}
int __wrap_vsscanf(const char* from, const char* format, va_list list) { return scan_string(from, format, list, PC); }
int __wrap___isoc99_vsscanf(const char* from, const char* format, va_list list) {
  return scan_string(from, format, list, PC);
}
int __wrap_scanf(const char* format, ...) { WITH_LIST(format, scan_stream(stdin, format, list, PC)); }
int __wrap___isoc99_scanf(const char* format, ...) { WITH_LIST(format, scan_stream(stdin, format, list, PC)); }
int __wrap_fscanf(FILE* stream, const char* format, ...) { WITH_LIST(format, scan_stream(stream, format, list, PC)); }
int __wrap___isoc99_fscanf(FILE* stream, const char* format, ...) {
  WITH_LIST(format, scan_stream(stream, format, list, PC));
}
int __wrap_vfscanf(FILE* stream, const char* format, va_list list) { return scan_stream(stream, format, list, PC); }

int __wrap_puts(const char* s) {
  return print([&] { return puts(s); }, s, PC);
}
int __wrap_fputs(const char* s, FILE* stream) {
  use_stream(stream, Use::kAppends, PC);
  return print([&] { return fputs(s, stream); }, s, PC);
}
void __wrap_perror(const char* s) {
  if (s == nullptr) return perror(s);
  print([&] { perror(s); }, s, PC);
}
std::size_t __wrap_fwrite(const void* from, std::size_t size, std::size_t count, FILE* stream) {
  use_stream(stream, Use::kAppends, PC);
  LibraryCall call(PC);
  call.reads(from, size * count);
  return call.perform([&] { return fwrite(from, size, count, stream); });
}
ssize_t __wrap_write(int fd, const void* from, std::size_t size) {
  if (fd > STDERR_FILENO) note_hidden_change();
  if (is_interrupted(PC)) return -1;
  use_descriptor(fd, DescriptorUse::kWrites, size, PC);
  LibraryCall call(PC);
  call.reads(from, size);
  return call.perform([&] { return write(fd, from, size); });
}
ssize_t __wrap_pwrite(int fd, const void* from, std::size_t size, off_t offset) {
  if (fd > STDERR_FILENO) note_hidden_change();
  if (is_interrupted(PC)) return -1;
  use_descriptor(fd, DescriptorUse::kWrites, size, PC);
  LibraryCall call(PC);
  call.reads(from, size);
  return call.perform([&] { return pwrite(fd, from, size, offset); });
}
ssize_t __wrap_writev(int fd, const iovec* part, int parts) {
  if (fd > STDERR_FILENO) note_hidden_change();
  if (is_interrupted(PC)) return -1;
  use_descriptor(fd, DescriptorUse::kWrites, 1, PC);
  LibraryCall call(PC);
  call.reads(part, static_cast<std::size_t>(parts) * sizeof *part);
  for (int i = 0; i < parts; ++i) call.reads(part[i].iov_base, part[i].iov_len);
  return call.perform([&] { return writev(fd, part, parts); });
}
ssize_t __wrap_send(int fd, const void* from, std::size_t size, int flags) {
  if (fd > STDERR_FILENO) note_hidden_change();
  if (is_interrupted(PC)) return -1;
  use_descriptor(fd, DescriptorUse::kWrites, size, PC);
  LibraryCall call(PC);
  call.reads(from, size);
  return call.perform([&] { return send(fd, from, size, flags); });
}
char* __wrap_fgets(char* to, int size, FILE* stream) {
  if (size <= 0) return fgets(to, size, stream);
  use_stream(stream, Use::kChanges, PC);
  return fill(
             to, static_cast<std::size_t>(size), [&](void* p) { return fgets(static_cast<char*>(p), size, stream); },
             [](const char* result, void* p) { return result ? strlen(static_cast<char*>(p)) + 1 : 0; }, PC)
             ? to
             : nullptr;
}

// Those below the runtime defines for the whole process (system_calls.cpp, program_inputs.cpp): what they are called
// with by the program is announced here.
ssize_t __wrap_read(int fd, void* to, std::size_t size) {
  if (is_interrupted(PC)) return -1;
  use_descriptor(fd, DescriptorUse::kReads, size, PC);
  return fill(
      to, size, [&](void* p) { return read(fd, p, size); },
      [](ssize_t n, void*) { return n > 0 ? static_cast<std::size_t>(n) : 0; }, PC);
}
ssize_t __wrap_pread(int fd, void* to, std::size_t size, off_t offset) {
  if (is_interrupted(PC)) return -1;
  use_descriptor(fd, DescriptorUse::kLooks, size, PC);
  return fill(
      to, size, [&](void* p) { return pread(fd, p, size, offset); },
      [](ssize_t n, void*) { return n > 0 ? static_cast<std::size_t>(n) : 0; }, PC);
}
// One after the other, from what is read at once.
ssize_t __wrap_readv(int fd, const iovec* part, int parts) {
  if (!controlled()) return readv(fd, part, parts);
  if (is_interrupted(PC)) return -1;
  LibraryCall call(PC);
  call.reads(part, static_cast<std::size_t>(parts) * sizeof *part);
  std::size_t all = 0;
  for (int i = 0; i < parts; ++i) all += part[i].iov_len;
  use_descriptor(fd, DescriptorUse::kReads, all, PC);
  char* const aside = static_cast<char*>(malloc(all));
  const ssize_t result = read(fd, aside, all);
  std::size_t done = 0;
  for (int i = 0; i < parts && result > 0 && done < static_cast<std::size_t>(result); ++i) {
    const std::size_t n = std::min(part[i].iov_len, static_cast<std::size_t>(result) - done);
    LibraryCall piece(PC);
    piece.writes(part[i].iov_base, n);
    piece.perform([&] { memcpy(part[i].iov_base, aside + done, n); });
    done += n;
  }
  free(aside);
  return result;
}
ssize_t __wrap_recv(int fd, void* to, std::size_t size, int flags) {
  use_descriptor(fd, DescriptorUse::kReads, size, PC);
  return fill(
      to, size, [&](void* p) { return recv(fd, p, size, flags); },
      [](ssize_t n, void*) { return n > 0 ? static_cast<std::size_t>(n) : 0; }, PC);
}
std::size_t __wrap_fread(void* to, std::size_t size, std::size_t count, FILE* stream) {
  use_stream(stream, Use::kChanges, PC);
  return fill(
      to, size * count, [&](void* p) { return fread(p, size, count, stream); },
      [&](std::size_t n, void*) { return n * size; }, PC);
}
}
