// Streams of C++, whose functions are in libstdc++: what they read and write of the program's memory (text, numbers,
// strings), and that using a stream changes it. The standard streams may be used by several threads at once; others may
// not, and the place where a stream's buffer keeps its position stands for all that a call changes of it. How things
// are laid out (std::hex, std::setw) is in the stream itself, and manipulators change it in code of the program.
//
// Functions that are given no memory of the program are called through stubs (library_members.h); the others are here.
#include "native/runtime/iostreams.h"

#include <istream>
#include <ostream>
#include <string>

#include "native/runtime/library_call.h"

// <iostream> would bring an object that initialises them once more.
namespace std {
extern istream cin;
extern ostream cout, cerr, clog;
}  // namespace std

using namespace heddle::runtime;

#define PC __builtin_return_address(0)

namespace {

// std::basic_streambuf begins with a pointer to its table and six pointers into the buffer: begin, position and end for
// reading and for writing.
constexpr std::size_t kReadPosition = 2 * sizeof(void*), kWritePosition = 5 * sizeof(void*);

bool is_standard(const std::ios& stream) {
  return &stream == static_cast<std::ios*>(&std::cout) || &stream == static_cast<std::ios*>(&std::cerr) ||
         &stream == static_cast<std::ios*>(&std::clog) || &stream == static_cast<std::ios*>(&std::cin);
}

void use(const std::ios& stream, std::size_t position, Layout layout, const void* pc) {
  const auto own = reinterpret_cast<std::uintptr_t>(static_cast<const std::ios_base*>(&stream));
  if (is_standard(stream)) {
    // Calls may meet there; a manipulator, which is no output, may not.
    if (layout != Layout::kUsed) return;
    plain_access(own + kFlagsOfStream, sizeof(int), false, pc);
    plain_access(own + kPrecisionOfStream, sizeof(std::streamsize), false, pc);
    return;
  }
  plain_access(own + kStateOfStream, sizeof(int), false, pc);
  if (layout == Layout::kUsed) {
    plain_access(own + kFlagsOfStream, sizeof(int), false, pc);
    plain_access(own + kPrecisionOfStream, sizeof(std::streamsize), false, pc);
    if (stream.width() > 0) plain_access(own + kFillOfStream, 1, false, pc);
    plain_access(own + kWidthOfStream, sizeof(std::streamsize), true, pc);  // which is for one time only
  }
  if (const std::streambuf* buffer = stream.rdbuf())
    plain_access(reinterpret_cast<std::uintptr_t>(buffer) + position, sizeof(void*), true, pc);
}

// Engine code has to do with no stream of the program, and nobody with one that has been taken apart.
void put(std::ostream& stream, Layout layout, const void* pc) {
  if (controlled()) use(stream, kWritePosition, layout, pc);
}
void take(std::istream& stream, Layout layout, const void* pc) {
  if (controlled()) use(stream, kReadPosition, layout, pc);
}

// The string grows as it is read: announced as it is found.
void change(std::string& s, const void* pc) {
  if (!controlled()) return;
  plain_access(reinterpret_cast<std::uintptr_t>(&s), 2 * sizeof(void*), true, pc);  // pointer and length
  plain_access(reinterpret_cast<std::uintptr_t>(s.data()), s.size() + 1, true, pc);
}

}  // namespace

namespace heddle::runtime {

void announce_output(void* stream, Layout layout, const void* pc) {
  put(*static_cast<std::ostream*>(stream), layout, pc);
}
void announce_input(void* stream, Layout layout, const void* pc) {
  take(*static_cast<std::istream*>(stream), layout, pc);
}

}  // namespace heddle::runtime

// Members that give a number.
#define TAKE(name, type)                                                 \
  std::istream& name(std::istream& stream, type& value);                 \
  std::istream& __wrap_##name(std::istream& stream, type& value) {       \
    take(stream, Layout::kUsed, PC);                                     \
    LibraryCall call(PC);                                                \
    call.writes(&value, sizeof value);                                   \
    return call.perform([&]() -> auto& { return name(stream, value); }); \
  }

extern "C" {

TAKE(_ZNSirsERi, int)
TAKE(_ZNSirsERs, short)
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
  put(stream, Layout::kUsed, PC);
  LibraryCall call(PC);
  call.reads(s, static_cast<std::size_t>(n));
  return call.perform([&]() -> auto& {
    return _ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l(stream, s, n);
  });
}
// std::operator<<(ostream&, const char*)
std::ostream& _ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc(std::ostream&, const char*);
std::ostream& __wrap__ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc(std::ostream& stream, const char* s) {
  put(stream, Layout::kUsed, PC);
  LibraryCall call(PC);
  if (s) call.reads_string(s);
  return call.perform([&]() -> auto& { return _ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc(stream, s); });
}
// std::operator<<(ostream&, const string&), where it is not inline (-O0).
#define INSERT _ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_stringIS4_S5_T1_EE
std::ostream& INSERT(std::ostream&, const std::string&);
std::ostream&
__wrap__ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_stringIS4_S5_T1_EE(
    std::ostream& stream, const std::string& s) {
  put(stream, Layout::kUsed, PC);
  LibraryCall call(PC);
  call.reads(&s, 2 * sizeof(void*));  // pointer and length
  call.reads(s.data(), s.size());
  return call.perform([&]() -> auto& { return INSERT(stream, s); });
}
// std::ostream::write(const char*, long)
std::ostream& _ZNSo5writeEPKcl(std::ostream&, const char*, long);
std::ostream& __wrap__ZNSo5writeEPKcl(std::ostream& stream, const char* s, long n) {
  put(stream, Layout::kUnused, PC);
  LibraryCall call(PC);
  call.reads(s, static_cast<std::size_t>(n));
  return call.perform([&]() -> auto& { return _ZNSo5writeEPKcl(stream, s, n); });
}

// std::istream::get(char&)
std::istream& _ZNSi3getERc(std::istream&, char&);
std::istream& __wrap__ZNSi3getERc(std::istream& stream, char& c) {
  take(stream, Layout::kUnused, PC);
  LibraryCall call(PC);
  call.writes(&c, 1);
  return call.perform([&]() -> auto& { return _ZNSi3getERc(stream, c); });
}
// std::istream::read(char*, long)
std::istream& _ZNSi4readEPcl(std::istream&, char*, long);
std::istream& __wrap__ZNSi4readEPcl(std::istream& stream, char* s, long n) {
  take(stream, Layout::kUnused, PC);
  LibraryCall call(PC);
  call.writes(s, static_cast<std::size_t>(n));
  return call.perform([&]() -> auto& { return _ZNSi4readEPcl(stream, s, n); });
}
// std::istream::getline(char*, long, char)
std::istream& _ZNSi7getlineEPclc(std::istream&, char*, long, char);
std::istream& __wrap__ZNSi7getlineEPclc(std::istream& stream, char* s, long n, char end) {
  take(stream, Layout::kUnused, PC);
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
  take(stream, Layout::kUnused, PC);
  change(s, PC);
  return GETLINE(stream, s, end);
}
// The same up to the end of the line; a call of its own where nothing is inlined.
#define GETLINE_TO_END \
  _ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE
std::istream& GETLINE_TO_END(std::istream&, std::string&);
std::istream&
__wrap__ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE(
    std::istream& stream, std::string& s) {
  take(stream, Layout::kUnused, PC);
  change(s, PC);
  return GETLINE_TO_END(stream, s);
}
#define EXTRACT _ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE
std::istream& EXTRACT(std::istream&, std::string&);
std::istream& __wrap__ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE(
    std::istream& stream, std::string& s) {
  take(stream, Layout::kUsed, PC);
  change(s, PC);
  return EXTRACT(stream, s);
}
}
