// Streams of C++, whose functions are in libstdc++: what they read and write of the program's memory (text, numbers,
// strings), and that using a stream changes it. The standard streams may be used by several threads at once; others may
// not, and the place where a stream's buffer keeps its position stands for all that a call changes of it.
#include <istream>
#include <ostream>
#include <string>

#include "native/runtime/library_call.h"

// <iostream> would bring an object that initialises them once more.
namespace std {
extern istream cin;
extern ostream cout, cerr, clog;
}  // namespace std

using namespace heddle::native;

#define PC __builtin_return_address(0)

namespace {

// std::basic_streambuf begins with a pointer to its table and six pointers into the buffer: begin, position and end for
// reading and for writing.
constexpr std::size_t kReadPosition = 2 * sizeof(void*), kWritePosition = 5 * sizeof(void*);

void use(const void* stream, const std::streambuf* buffer, std::size_t position, const void* pc) {
  const void* const standard[] = {&std::cout, &std::cerr, &std::clog, &std::cin};
  for (const void* s : standard)
    if (s == stream) return;
  if (buffer) plain_access(reinterpret_cast<std::uintptr_t>(buffer) + position, sizeof(void*), true, pc);
}

// Engine code has to do with no stream of the program, and nobody with one that has been taken apart.
void put(std::ostream& stream, const void* pc) {
  if (controlled()) use(&stream, stream.rdbuf(), kWritePosition, pc);
}
void take(std::istream& stream, const void* pc) {
  if (controlled()) use(&stream, stream.rdbuf(), kReadPosition, pc);
}

// The string grows as it is read: announced as it is found.
void change(std::string& s, const void* pc) {
  if (!controlled()) return;
  plain_access(reinterpret_cast<std::uintptr_t>(&s), 2 * sizeof(void*), true, pc);  // pointer and length
  plain_access(reinterpret_cast<std::uintptr_t>(s.data()), s.size() + 1, true, pc);
}

}  // namespace

// Members that are given a number, and members that give one.
#define PUT(name, type)                                           \
  std::ostream& name(std::ostream& stream, type value);           \
  std::ostream& __wrap_##name(std::ostream& stream, type value) { \
    put(stream, PC);                                              \
    return name(stream, value);                                   \
  }
#define TAKE(name, type)                                                 \
  std::istream& name(std::istream& stream, type& value);                 \
  std::istream& __wrap_##name(std::istream& stream, type& value) {       \
    take(stream, PC);                                                    \
    LibraryCall call(PC);                                                \
    call.writes(&value, sizeof value);                                   \
    return call.perform([&]() -> auto& { return name(stream, value); }); \
  }

extern "C" {

PUT(_ZNSolsEi, int)
PUT(_ZNSolsEs, short)
PUT(_ZNSo3putEc, char)
PUT(_ZNSo9_M_insertIbEERSoT_, bool)
PUT(_ZNSo9_M_insertIlEERSoT_, long)
PUT(_ZNSo9_M_insertImEERSoT_, unsigned long)
PUT(_ZNSo9_M_insertIxEERSoT_, long long)
PUT(_ZNSo9_M_insertIyEERSoT_, unsigned long long)
PUT(_ZNSo9_M_insertIdEERSoT_, double)
PUT(_ZNSo9_M_insertIeEERSoT_, long double)
PUT(_ZNSo9_M_insertIPKvEERSoT_, const void*)

TAKE(_ZNSirsERi, int)
TAKE(_ZNSirsERs, short)
TAKE(_ZNSi3getERc, char)
TAKE(_ZNSi10_M_extractIbEERSiRT_, bool)
TAKE(_ZNSi10_M_extractItEERSiRT_, unsigned short)
TAKE(_ZNSi10_M_extractIjEERSiRT_, unsigned)
TAKE(_ZNSi10_M_extractIlEERSiRT_, long)
TAKE(_ZNSi10_M_extractImEERSiRT_, unsigned long)
TAKE(_ZNSi10_M_extractIxEERSiRT_, long long)
TAKE(_ZNSi10_M_extractIyEERSiRT_, unsigned long long)
TAKE(_ZNSi10_M_extractIfEERSiRT_, float)
TAKE(_ZNSi10_M_extractIdEERSiRT_, double)
TAKE(_ZNSi10_M_extractIeEERSiRT_, long double)

// std::__ostream_insert(ostream&, const char*, long)
std::ostream& _ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l(std::ostream&, const char*,
                                                                                            long);
std::ostream& __wrap__ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l(std::ostream& stream,
                                                                                                   const char* s,
                                                                                                   long n) {
  put(stream, PC);
  LibraryCall call(PC);
  call.reads(s, static_cast<std::size_t>(n));
  return call.perform([&]() -> auto& {
    return _ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l(stream, s, n);
  });
}
// std::operator<<(ostream&, const char*)
std::ostream& _ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc(std::ostream&, const char*);
std::ostream& __wrap__ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc(std::ostream& stream, const char* s) {
  put(stream, PC);
  LibraryCall call(PC);
  if (s) call.reads_string(s);
  return call.perform([&]() -> auto& { return _ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc(stream, s); });
}
// std::ostream::write(const char*, long)
std::ostream& _ZNSo5writeEPKcl(std::ostream&, const char*, long);
std::ostream& __wrap__ZNSo5writeEPKcl(std::ostream& stream, const char* s, long n) {
  put(stream, PC);
  LibraryCall call(PC);
  call.reads(s, static_cast<std::size_t>(n));
  return call.perform([&]() -> auto& { return _ZNSo5writeEPKcl(stream, s, n); });
}

// Members that only have to do with the stream.
#define PUT_ALONE(name)                               \
  std::ostream& name(std::ostream& stream);           \
  std::ostream& __wrap_##name(std::ostream& stream) { \
    put(stream, PC);                                  \
    return name(stream);                              \
  }
#define TAKE_ALONE(name)                              \
  std::istream& name(std::istream& stream);           \
  std::istream& __wrap_##name(std::istream& stream) { \
    take(stream, PC);                                 \
    return name(stream);                              \
  }
PUT_ALONE(_ZNSo5flushEv)
TAKE_ALONE(_ZNSi5ungetEv)
TAKE_ALONE(_ZNSi6ignoreEv)
int _ZNSi4peekEv(std::istream&);
int __wrap__ZNSi4peekEv(std::istream& stream) {
  take(stream, PC);
  return _ZNSi4peekEv(stream);
}
std::istream& _ZNSi6ignoreEli(std::istream&, long, int);
std::istream& __wrap__ZNSi6ignoreEli(std::istream& stream, long n, int end) {
  take(stream, PC);
  return _ZNSi6ignoreEli(stream, n, end);
}

// std::istream::get()
int _ZNSi3getEv(std::istream&);
int __wrap__ZNSi3getEv(std::istream& stream) {
  take(stream, PC);
  return _ZNSi3getEv(stream);
}
// std::istream::read(char*, long)
std::istream& _ZNSi4readEPcl(std::istream&, char*, long);
std::istream& __wrap__ZNSi4readEPcl(std::istream& stream, char* s, long n) {
  take(stream, PC);
  LibraryCall call(PC);
  call.writes(s, static_cast<std::size_t>(n));
  return call.perform([&]() -> auto& { return _ZNSi4readEPcl(stream, s, n); });
}
// std::istream::getline(char*, long, char)
std::istream& _ZNSi7getlineEPclc(std::istream&, char*, long, char);
std::istream& __wrap__ZNSi7getlineEPclc(std::istream& stream, char* s, long n, char end) {
  take(stream, PC);
  LibraryCall call(PC);
  call.writes(s, static_cast<std::size_t>(n));
  return call.perform([&]() -> auto& { return _ZNSi7getlineEPclc(stream, s, n, end); });
}
// std::getline(istream&, string&, char) and operator>>(istream&, string&).
#define GETLINE \
  _ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_
std::istream& GETLINE(std::istream&, std::string&, char);
std::istream&
__wrap__ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_(
    std::istream& stream, std::string& s, char end) {
  take(stream, PC);
  change(s, PC);
  return GETLINE(stream, s, end);
}
#define EXTRACT _ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE
std::istream& EXTRACT(std::istream&, std::string&);
std::istream& __wrap__ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE(
    std::istream& stream, std::string& s) {
  take(stream, PC);
  change(s, PC);
  return EXTRACT(stream, s);
}
}
