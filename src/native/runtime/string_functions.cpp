// String functions of the C library: what they read ends where the string does, or where what they look for is found.
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

#include <algorithm>

#include "native/runtime/library_call.h"

using namespace heddle::runtime;

#define PC __builtin_return_address(0)

namespace {

bool visible(const void* p, std::size_t size) { return any_visible(reinterpret_cast<std::uintptr_t>(p), size); }

// The string up to where the search ended; where that may change from step to step, all of it.
void reads_upto(LibraryCall& call, const char* s, std::size_t looked_at, std::size_t most = SIZE_MAX) {
  if (!call.on()) return;
  if (visible(s, looked_at))
    call.reads_string(s, most);
  else
    call.reads(s, looked_at);
}

// Two strings up to where they differ or end.
template <class Same>
void reads_both(LibraryCall& call, const char* a, const char* b, std::size_t most, Same&& same) {
  if (!call.on()) return;
  std::size_t n = 0;
  while (n < most && same(a[n], b[n]) && a[n] != 0) ++n;
  n = std::min(n, most - (most > 0)) + (most > 0);
  if (!visible(a, n) && !visible(b, n)) {
    call.reads(a, n);
    call.reads(b, n);
  } else {
    call.reads_string(a, most);
    call.reads_string(b, most);
  }
}

bool same_byte(char a, char b) { return a == b; }
bool same_letter(char a, char b) {
  return tolower(static_cast<unsigned char>(a)) == tolower(static_cast<unsigned char>(b));
}

std::size_t distance(const char* from, const char* to) { return static_cast<std::size_t>(to - from); }

// A function that looks for something: `find` gives the place, or null at the end of the string.
template <class Find>
char* search(const char* s, Find&& find, const void* pc) {
  LibraryCall call(pc);
  if (call.on()) {
    const char* found = find();
    reads_upto(call, s, found ? distance(s, found) + 1 : strlen(s) + 1);
  }
  return call.perform([&] { return const_cast<char*>(find()); });
}

// ... and one that says how far it came. `other` is the second string.
template <class Find>
std::size_t span(const char* s, const char* other, Find&& find, const void* pc) {
  LibraryCall call(pc);
  if (call.on()) {
    reads_upto(call, s, find() + 1);
    call.reads_string(other);
  }
  return call.perform(find);
}

// strtol and its like: digits up to where they end, which is told if anybody wants to know.
template <class Convert>
auto convert(const char* s, char** end, Convert&& real, const void* pc) {
  LibraryCall call(pc);
  char* last = nullptr;
  if (call.on()) {
    real(s, &last);
    reads_upto(call, s, distance(s, last) + 1);
    if (end) call.writes(end, sizeof *end);
  }
  return call.perform([&] { return real(s, end ? end : &last); });
}

char* append(char* to, const char* from, std::size_t most, const void* pc) {
  LibraryCall call(pc);
  const std::size_t before = call.reads_string(to);
  const std::size_t n = call.reads_string(from, most);
  call.writes(to + before, n + 1);
  return call.perform([&] { return strncat(to, from, most); });
}

char* put(char* to, const char* from, std::size_t room, const void* pc) {
  LibraryCall call(pc);
  const std::size_t n = call.reads_string(from);
  if (n >= room) abort();
  call.writes(to, n + 1);
  return call.perform([&] { return stpcpy(to, from); });
}

char* put_bounded(char* to, const char* from, std::size_t n, const void* pc) {
  LibraryCall call(pc);
  call.reads_string(from, n);
  call.writes(to, n);
  return call.perform([&] { return stpncpy(to, from, n); });
}

// The next part of a string that is taken apart: where it ends, a zero is written.
char* cut(LibraryCall& call, char* token, const char* delimiters) {
  call.reads_string(delimiters);
  char* const end = token + strcspn(token, delimiters);
  const bool last = *end == 0;
  call.reads(token, distance(token, end) + 1);
  if (!last) call.writes(end, 1);
  return call.perform([&]() -> char* {
    if (last) return nullptr;
    *end = 0;
    return end + 1;
  });
}

// What is kept between calls is where the program says.
void keep(char** place, char* value, const void* pc) {
  LibraryCall call(pc);
  call.writes(place, sizeof *place);
  call.perform([&] { *place = value; });
}
char* kept(char** place, const void* pc) {
  LibraryCall call(pc);
  call.reads(place, sizeof *place);
  return call.perform([&] { return *place; });
}

char* next_token(char* s, const char* delimiters, char** rest, const void* pc) {
  if (!s) s = kept(rest, pc);
  if (!s) return nullptr;
  LibraryCall call(pc);
  char* const token = s + strspn(s, delimiters);
  call.reads(s, distance(s, token) + 1);
  if (*token == 0) {
    keep(rest, token, pc);
    return nullptr;
  }
  char* const next = cut(call, token, delimiters);
  keep(rest, next ? next : token + strlen(token), pc);
  return token;
}

}  // namespace

extern "C" {

char* __wrap_strtok_r(char* s, const char* delimiters, char** rest) { return next_token(s, delimiters, rest, PC); }
char* __wrap___strtok_r(char* s, const char* delimiters, char** rest) { return next_token(s, delimiters, rest, PC); }
char* __wrap_strsep(char** rest, const char* delimiters) {
  char* const token = kept(rest, PC);
  if (!token) return nullptr;
  LibraryCall call(PC);
  keep(rest, cut(call, token, delimiters), PC);
  return token;
}

std::size_t __wrap_strlen(const char* s) {
  LibraryCall call(PC);
  return call.reads_string(s);
}
std::size_t __wrap_strnlen(const char* s, std::size_t most) {
  LibraryCall call(PC);
  return call.reads_string(s, most);
}
std::size_t __wrap_wcslen(const wchar_t* s) {
  LibraryCall call(PC);
  return call.reads_wide_string(s);
}
wchar_t* __wrap_wcscpy(wchar_t* to, const wchar_t* from) {
  LibraryCall call(PC);
  const std::size_t n = call.reads_wide_string(from);
  call.writes(to, (n + 1) * sizeof *to);
  return call.perform([&] { return wcscpy(to, from); });
}
int __wrap_wcscmp(const wchar_t* a, const wchar_t* b) {
  LibraryCall call(PC);
  std::size_t n = 0;
  while (a[n] == b[n] && a[n] != 0) ++n;
  call.reads_wide_string(a, n + 1);
  call.reads_wide_string(b, n + 1);
  return call.perform([&] { return wcscmp(a, b); });
}

char* __wrap_strcpy(char* to, const char* from) { return put(to, from, SIZE_MAX, PC), to; }
char* __wrap_stpcpy(char* to, const char* from) { return put(to, from, SIZE_MAX, PC); }
char* __wrap_strncpy(char* to, const char* from, std::size_t n) { return put_bounded(to, from, n, PC), to; }
char* __wrap_stpncpy(char* to, const char* from, std::size_t n) { return put_bounded(to, from, n, PC); }
char* __wrap_strcat(char* to, const char* from) { return append(to, from, SIZE_MAX, PC); }
char* __wrap_strncat(char* to, const char* from, std::size_t n) { return append(to, from, n, PC); }
char* __wrap___strcpy_chk(char* to, const char* from, std::size_t room) { return put(to, from, room, PC), to; }
char* __wrap___stpcpy_chk(char* to, const char* from, std::size_t room) { return put(to, from, room, PC); }
char* __wrap___strncpy_chk(char* to, const char* from, std::size_t n, std::size_t room) {
  if (n > room) abort();
  return put_bounded(to, from, n, PC), to;
}
char* __wrap___strcat_chk(char* to, const char* from, std::size_t room) {
  if (strlen(to) + strlen(from) >= room) abort();
  return append(to, from, SIZE_MAX, PC);
}
char* __wrap___strncat_chk(char* to, const char* from, std::size_t n, std::size_t room) {
  if (strlen(to) + strnlen(from, n) >= room) abort();
  return append(to, from, n, PC);
}

int __wrap_strcmp(const char* a, const char* b) {
  LibraryCall call(PC);
  reads_both(call, a, b, SIZE_MAX, same_byte);
  return call.perform([&] { return strcmp(a, b); });
}
int __wrap_strncmp(const char* a, const char* b, std::size_t n) {
  LibraryCall call(PC);
  reads_both(call, a, b, n, same_byte);
  return call.perform([&] { return strncmp(a, b, n); });
}
int __wrap_strcasecmp(const char* a, const char* b) {
  LibraryCall call(PC);
  reads_both(call, a, b, SIZE_MAX, same_letter);
  return call.perform([&] { return strcasecmp(a, b); });
}
int __wrap_strncasecmp(const char* a, const char* b, std::size_t n) {
  LibraryCall call(PC);
  reads_both(call, a, b, n, same_letter);
  return call.perform([&] { return strncasecmp(a, b, n); });
}
int __wrap_strcoll(const char* a, const char* b) {
  LibraryCall call(PC);
  call.reads_string(a);
  call.reads_string(b);
  return call.perform([&] { return strcoll(a, b); });
}

char* __wrap_strchr(const char* s, int c) {
  return search(s, [&] { return strchr(s, c); }, PC);
}
char* __wrap_strchrnul(const char* s, int c) {
  return search(s, [&] { return strchrnul(s, c); }, PC);
}
char* __wrap_strrchr(const char* s, int c) {
  LibraryCall call(PC);
  call.reads_string(s);
  return call.perform([&] { return const_cast<char*>(strrchr(s, c)); });
}
char* __wrap_strstr(const char* s, const char* part) {
  LibraryCall call(PC);
  if (call.on()) {
    const std::size_t n = call.reads_string(part);
    const char* found = strstr(s, part);
    reads_upto(call, s, found ? distance(s, found) + std::max<std::size_t>(n, 1) : strlen(s) + 1);
  }
  return call.perform([&] { return const_cast<char*>(strstr(s, part)); });
}
char* __wrap_strcasestr(const char* s, const char* part) {
  LibraryCall call(PC);
  call.reads_string(part);
  call.reads_string(s);
  return call.perform([&] { return const_cast<char*>(strcasestr(s, part)); });
}
char* __wrap_strpbrk(const char* s, const char* any) {
  const std::size_t n = span(s, any, [&] { return strcspn(s, any); }, PC);
  return s[n] == 0 ? nullptr : const_cast<char*>(s) + n;
}
std::size_t __wrap_strspn(const char* s, const char* any) {
  return span(s, any, [&] { return strspn(s, any); }, PC);
}
std::size_t __wrap_strcspn(const char* s, const char* any) {
  return span(s, any, [&] { return strcspn(s, any); }, PC);
}

char* __wrap_strdup(const char* s) {
  LibraryCall call(PC);
  call.reads_string(s);
  return call.perform([&] { return strdup(s); });
}
char* __wrap_strndup(const char* s, std::size_t n) {
  LibraryCall call(PC);
  call.reads_string(s, n);
  return call.perform([&] { return strndup(s, n); });
}

long __wrap_strtol(const char* s, char** end, int base) {
  return convert(s, end, [=](const char* from, char** last) { return strtol(from, last, base); }, PC);
}
long long __wrap_strtoll(const char* s, char** end, int base) {
  return convert(s, end, [=](const char* from, char** last) { return strtoll(from, last, base); }, PC);
}
unsigned long __wrap_strtoul(const char* s, char** end, int base) {
  return convert(s, end, [=](const char* from, char** last) { return strtoul(from, last, base); }, PC);
}
unsigned long long __wrap_strtoull(const char* s, char** end, int base) {
  return convert(s, end, [=](const char* from, char** last) { return strtoull(from, last, base); }, PC);
}
float __wrap_strtof(const char* s, char** end) { return convert(s, end, strtof, PC); }
double __wrap_strtod(const char* s, char** end) { return convert(s, end, strtod, PC); }
long double __wrap_strtold(const char* s, char** end) { return convert(s, end, strtold, PC); }
int __wrap_atoi(const char* s) {
  return static_cast<int>(
      convert(s, nullptr, [](const char* from, char** last) { return strtol(from, last, 10); }, PC));
}
long __wrap_atol(const char* s) {
  return convert(s, nullptr, [](const char* from, char** last) { return strtol(from, last, 10); }, PC);
}
long long __wrap_atoll(const char* s) {
  return convert(s, nullptr, [](const char* from, char** last) { return strtoll(from, last, 10); }, PC);
}
double __wrap_atof(const char* s) { return convert(s, nullptr, strtod, PC); }
}
