// Functions of the C library on ranges of memory. The compiler's own copies (of structures, by memcpy and its like)
// arrive at __tsan_memcpy and its siblings; calls of the program at the wrapped functions (wrapped_functions.txt).
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

#include <algorithm>

#include "native/runtime/library_call.h"

using namespace heddle::runtime;

#define PC __builtin_return_address(0)

namespace {

void* copy(void* to, const void* from, std::size_t size, const void* pc) {
  LibraryCall call(pc);
  call.reads(from, size);
  call.writes(to, size);
  return call.perform([&] { return memcpy(to, from, size); });
}

void* move(void* to, const void* from, std::size_t size, const void* pc) {
  LibraryCall call(pc);
  call.reads(from, size);
  call.writes(to, size);
  return call.perform([&] { return memmove(to, from, size); });
}

void* set(void* to, int value, std::size_t size, const void* pc) {
  LibraryCall call(pc);
  call.writes(to, size);
  return call.perform([&] { return memset(to, value, size); });
}

int compare(const void* a, const void* b, std::size_t size, const void* pc) {
  LibraryCall call(pc);
  call.reads(a, size);
  call.reads(b, size);
  return call.perform([&] { return memcmp(a, b, size); });
}

// Where racing bytes are sorted the elements are moved one by one, each piece at its step; the comparison is the
// program's and may let others run. Stable, as the C library's is in practice.
template <class Compare>
void insertion_sort(char* base, std::size_t count, std::size_t size, Compare&& below, const void* pc) {
  auto element = static_cast<char*>(malloc(size));
  for (std::size_t i = 1; i < count; ++i) {
    copy(element, base + i * size, size, pc);
    std::size_t at = i;
    while (at > 0 && below(element, base + (at - 1) * size)) --at;
    if (at == i) continue;
    move(base + (at + 1) * size, base + at * size, (i - at) * size, pc);
    copy(base + at * size, element, size, pc);
  }
  free(element);
}

template <class Compare, class Real>
void sort(void* base, std::size_t count, std::size_t size, Compare&& below, const void* pc, Real&& real) {
  const auto address = reinterpret_cast<std::uintptr_t>(base);
  if (controlled() && count > 1 && any_visible(address, count * size))
    return insertion_sort(static_cast<char*>(base), count, size, below, pc);
  LibraryCall call(pc);
  call.reads(base, count * size);
  call.writes(base, count * size);
  real();  // it calls the program
}

}  // namespace

extern "C" {

void* __tsan_memcpy(void* to, const void* from, std::size_t size) { return copy(to, from, size, PC); }
void* __tsan_memmove(void* to, const void* from, std::size_t size) { return move(to, from, size, PC); }
void* __tsan_memset(void* to, int value, std::size_t size) { return set(to, value, size, PC); }

void* __wrap_memcpy(void* to, const void* from, std::size_t size) { return copy(to, from, size, PC); }
void* __wrap_memmove(void* to, const void* from, std::size_t size) { return move(to, from, size, PC); }
void* __wrap_memset(void* to, int value, std::size_t size) { return set(to, value, size, PC); }
void* __wrap___memcpy_chk(void* to, const void* from, std::size_t size, std::size_t room) {
  if (size > room) abort();
  return copy(to, from, size, PC);
}
void* __wrap___memmove_chk(void* to, const void* from, std::size_t size, std::size_t room) {
  if (size > room) abort();
  return move(to, from, size, PC);
}
void* __wrap___memset_chk(void* to, int value, std::size_t size, std::size_t room) {
  if (size > room) abort();
  return set(to, value, size, PC);
}
void* __wrap_mempcpy(void* to, const void* from, std::size_t size) {
  return static_cast<char*>(copy(to, from, size, PC)) + size;
}
void __wrap_bcopy(const void* from, void* to, std::size_t size) { move(to, from, size, PC); }
void __wrap_bzero(void* to, std::size_t size) { set(to, 0, size, PC); }
int __wrap_memcmp(const void* a, const void* b, std::size_t size) { return compare(a, b, size, PC); }
int __wrap_bcmp(const void* a, const void* b, std::size_t size) { return compare(a, b, size, PC); }

void* __wrap_memchr(const void* s, int c, std::size_t size) {
  LibraryCall call(PC);
  const void* found = memchr(s, c, size);
  std::size_t looked_at =
      found ? static_cast<std::size_t>(static_cast<const char*>(found) - static_cast<const char*>(s)) + 1 : size;
  if (call.on() && any_visible(reinterpret_cast<std::uintptr_t>(s), looked_at)) looked_at = size;
  call.reads(s, looked_at);
  return call.perform([&] { return const_cast<void*>(memchr(s, c, size)); });
}
void* __wrap_memrchr(const void* s, int c, std::size_t size) {
  LibraryCall call(PC);
  call.reads(s, size);
  return call.perform([&] { return const_cast<void*>(memrchr(s, c, size)); });
}
void* __wrap_memmem(const void* s, std::size_t size, const void* part, std::size_t part_size) {
  LibraryCall call(PC);
  call.reads(s, size);
  call.reads(part, part_size);
  return call.perform([&] { return const_cast<void*>(memmem(s, size, part, part_size)); });
}

wchar_t* __wrap_wmemcpy(wchar_t* to, const wchar_t* from, std::size_t n) {
  copy(to, from, n * sizeof *to, PC);
  return to;
}
wchar_t* __wrap_wmemmove(wchar_t* to, const wchar_t* from, std::size_t n) {
  move(to, from, n * sizeof *to, PC);
  return to;
}
wchar_t* __wrap_wmemset(wchar_t* to, wchar_t value, std::size_t n) {
  LibraryCall call(PC);
  call.writes(to, n * sizeof *to);
  return call.perform([&] { return wmemset(to, value, n); });
}
int __wrap_wmemcmp(const wchar_t* a, const wchar_t* b, std::size_t n) {
  LibraryCall call(PC);
  call.reads(a, n * sizeof *a);
  call.reads(b, n * sizeof *b);
  return call.perform([&] { return wmemcmp(a, b, n); });
}

void __wrap_qsort(void* base, std::size_t count, std::size_t size, int (*order)(const void*, const void*)) {
  sort(
      base, count, size, [&](const void* a, const void* b) { return order(a, b) < 0; }, PC,
      [&] { qsort(base, count, size, order); });
}
void __wrap_qsort_r(void* base, std::size_t count, std::size_t size, int (*order)(const void*, const void*, void*),
                    void* argument) {
  sort(
      base, count, size, [&](const void* a, const void* b) { return order(a, b, argument) < 0; }, PC,
      [&] { qsort_r(base, count, size, order, argument); });
}
}
