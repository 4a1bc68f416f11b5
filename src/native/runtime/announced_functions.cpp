// Functions of the C library that read and write memory of the program: a row each (announced_call.h), with a part for
// each pointer. Those whose ranges take more than that to say are in string_functions.cpp, memory_functions.cpp and
// stream_functions.cpp; those that keep something from call to call in hidden_state.cpp.
#include "native/runtime/announced_call.h"
#include "native/runtime/io_order.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <ftw.h>
#include <glob.h>
#include <grp.h>
#include <iconv.h>
#include <limits.h>
#include <math.h>
#include <netdb.h>
#include <pwd.h>
#include <regex.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <charconv>

using namespace heddle::runtime;

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

extern "C" int __xpg_strerror_r(int, char*, std::size_t);  // strerror_r as POSIX has it

namespace {

// An internet address, of the family that another argument says.
template <std::size_t N>
struct Address {
  static std::size_t count(const auto& arguments) {
    return std::get<N>(arguments) == AF_INET6 ? sizeof(in6_addr) : sizeof(in_addr);
  }
};
// As much as is where another argument points to.
template <std::size_t N>
struct Pointed {
  static std::size_t count(const auto& arguments) {
    return std::get<N>(arguments) ? static_cast<std::size_t>(*std::get<N>(arguments)) : 0;
  }
};
// As long as the string that is there already.
template <std::size_t I>
struct Itself {
  static std::size_t count(const auto& arguments) { return strlen(std::get<I>(arguments)) + 1; }
};
// A string and room for another behind it.
template <std::size_t To, std::size_t From, class Most = Exactly<SIZE_MAX>>
struct Appends {
  void before(LibraryCall& call, auto& arguments) {
    const auto to = std::get<To>(arguments);
    const std::size_t there = call.reads_wide_string(to);
    const std::size_t more = call.reads_wide_string(std::get<From>(arguments), Most::count(arguments));
    call.writes(to + there, (more + 1) * sizeof *to);
  }
  void after(const void*, auto&, auto&) {}
};
// Two strings up to where they differ.
template <class Most = Exactly<SIZE_MAX>>
struct Compares {
  void before(LibraryCall& call, auto& arguments) {
    const wchar_t* a = std::get<0>(arguments);
    const wchar_t* b = std::get<1>(arguments);
    const std::size_t most = Most::count(arguments);
    std::size_t n = 0;
    while (n < most && a[n] == b[n] && a[n] != 0) ++n;
    n = n < most ? n + 1 : most;
    call.reads_wide_string(a, n);
    call.reads_wide_string(b, n);
  }
  void after(const void*, auto&, auto&) {}
};
// A string up to where it was found, or all of it. Where that may change from step to step, all of it.
struct Searches {
  bool whole = false;
  void before(LibraryCall& call, auto& arguments) {
    const wchar_t* s = std::get<0>(arguments);
    whole = any_visible(reinterpret_cast<std::uintptr_t>(s), (wcslen(s) + 1) * sizeof *s);
    if (whole) call.reads_wide_string(s);
  }
  void after(const void* pc, auto& arguments, auto& result) {
    const wchar_t* s = std::get<0>(arguments);
    if (whole) return;
    LibraryCall call(pc);
    call.reads(s, (result ? static_cast<std::size_t>(result - s) + 1 : wcslen(s) + 1) * sizeof *s);
  }
};
// The line that was read, where the first argument points to by now.
struct Line {
  void before(LibraryCall&, auto&) {}
  void after(const void* pc, auto& arguments, auto& result) {
    if (result < 0) return;
    LibraryCall call(pc);
    call.writes(*std::get<0>(arguments), static_cast<std::size_t>(result) + 1);
    call.perform([] {});
  }
};
// From one pointer to another.
template <std::size_t First, std::size_t Last>
struct Upto {
  static std::size_t count(const auto& arguments) {
    return static_cast<std::size_t>(std::get<Last>(arguments) - std::get<First>(arguments));
  }
};
struct AllIfConverted {
  static std::size_t written(const auto&, std::size_t most, const auto& result) {
    return result.ec == std::errc() ? most : 0;
  }
};
// What std::to_chars has written.
struct WritesText {
  void before(LibraryCall&, auto&) {}
  void after(const void* pc, auto& arguments, auto& result) {
    if (result.ec != std::errc()) return;
    LibraryCall call(pc);
    call.writes(std::get<0>(arguments), static_cast<std::size_t>(result.ptr - std::get<0>(arguments)));
    call.perform([] {});
  }
};
// Two ends of one thing. (Looked at before they are put where they belong.)
template <std::size_t I>
struct Connects {
  void before(LibraryCall&, auto&) {}
  void after(const void*, auto& arguments, auto& result) {
    const int* const ends = std::get<I>(arguments);
    if (result == 0) note_channel(ends[0], ends[1]);
  }
};
struct MakesOne {
  void before(LibraryCall&, auto&) {}
  void after(const void*, auto&, auto& result) { note_channel(result, result); }
};
template <DescriptorUse kUse>
struct Descriptor {
  void before(LibraryCall& call, auto& arguments) { use_descriptor(std::get<0>(arguments), kUse, 8, call.pc()); }
  void after(const void*, auto&, auto&) {}
};
// A stream is used, in an order that may matter (io_order.h).
template <std::size_t I, Use kUse>
struct Streams {
  void before(LibraryCall& call, auto& arguments) { use_stream(std::get<I>(arguments), kUse, call.pc()); }
  void after(const void*, auto&, auto&) {}
};

// What iconv has converted.
struct Converts {
  char* to = nullptr;
  void before(LibraryCall& call, auto& arguments) {
    if (std::get<1>(arguments) && *std::get<1>(arguments)) call.reads(*std::get<1>(arguments), *std::get<2>(arguments));
    if (std::get<3>(arguments)) to = *std::get<3>(arguments);
  }
  void after(const void* pc, auto& arguments, auto&) {
    if (!to) return;
    LibraryCall call(pc);
    call.writes(to, static_cast<std::size_t>(*std::get<3>(arguments) - to));
    call.perform([] {});
  }
};

}  // namespace

// --- time ---
ANNOUNCED_OURS(clock_gettime, Fills<1>)
ANNOUNCED_OURS(gettimeofday, Fills<0>)
ANNOUNCED_OURS(time, Sets<0>)
ANNOUNCED_OURS(timespec_get, Sets<0>)
ANNOUNCED(clock_getres, Fills<1>)
ANNOUNCED(gmtime_r, Reads<0>, Sets<1>)
ANNOUNCED(localtime_r, Reads<0>, Sets<1>)
ANNOUNCED(asctime_r, Reads<0>, Fills<1, Exactly<26>, ToEnd>)
ANNOUNCED(ctime_r, Reads<0>, Fills<1, Exactly<26>, ToEnd>)
ANNOUNCED(mktime, Reads<0>, Sets<0>)
ANNOUNCED(timegm, Reads<0>, Sets<0>)
ANNOUNCED(strftime, Fills<0, Argument<1>, ResultAndEnd>, Text<2>, Reads<3>)
ANNOUNCED(strptime, Text<0>, Text<1>, Sets<2>)
ANNOUNCED(times, Fills<0>)

// --- mathematics ---
ANNOUNCED_AS(frexp, double (*)(double, int*), Sets<1>)
ANNOUNCED(frexpf, Sets<1>)
ANNOUNCED(frexpl, Sets<1>)
ANNOUNCED_AS(modf, double (*)(double, double*), Sets<1>)
ANNOUNCED(modff, Sets<1>)
ANNOUNCED(modfl, Sets<1>)
ANNOUNCED_AS(remquo, double (*)(double, double, int*), Sets<2>)
ANNOUNCED(remquof, Sets<2>)
ANNOUNCED(remquol, Sets<2>)
ANNOUNCED(sincos, Sets<1>, Sets<2>)
ANNOUNCED(sincosf, Sets<1>, Sets<2>)
ANNOUNCED(sincosl, Sets<1>, Sets<2>)
ANNOUNCED(lgamma_r, Sets<1>)
ANNOUNCED(lgammaf_r, Sets<1>)

// --- numbers and text, of the C++ library ---
#define FROM_CHARS(name, type) \
  extern "C" std::from_chars_result name(const char*, const char*, type*, std::chars_format);
FROM_CHARS(_ZSt10from_charsPKcS0_RfSt12chars_format, float)
FROM_CHARS(_ZSt10from_charsPKcS0_RdSt12chars_format, double)
FROM_CHARS(_ZSt10from_charsPKcS0_ReSt12chars_format, long double)
#define TO_CHARS(name, ...) extern "C" std::to_chars_result name(char*, char*, __VA_ARGS__);
TO_CHARS(_ZSt8to_charsPcS_f, float)
TO_CHARS(_ZSt8to_charsPcS_d, double)
TO_CHARS(_ZSt8to_charsPcS_dSt12chars_format, double, std::chars_format)
TO_CHARS(_ZSt8to_charsPcS_dSt12chars_formati, double, std::chars_format, int)
ANNOUNCED(_ZSt10from_charsPKcS0_RfSt12chars_format, Reads<0, Upto<0, 1>>, Fills<2, One, AllIfConverted>)
ANNOUNCED(_ZSt10from_charsPKcS0_RdSt12chars_format, Reads<0, Upto<0, 1>>, Fills<2, One, AllIfConverted>)
ANNOUNCED(_ZSt10from_charsPKcS0_ReSt12chars_format, Reads<0, Upto<0, 1>>, Fills<2, One, AllIfConverted>)
ANNOUNCED(_ZSt8to_charsPcS_f, WritesText)
ANNOUNCED(_ZSt8to_charsPcS_d, WritesText)
ANNOUNCED(_ZSt8to_charsPcS_dSt12chars_format, WritesText)
ANNOUNCED(_ZSt8to_charsPcS_dSt12chars_formati, WritesText)

// --- random numbers ---
ANNOUNCED_OURS(getrandom, Fills<0, Argument<1>, Result>)
ANNOUNCED_OURS(getentropy, Fills<0, Argument<1>, AllIfZero>)
ANNOUNCED(rand_r, Reads<0>, Sets<0>)
ANNOUNCED(erand48, Reads<0, Exactly<3>>, Sets<0, Exactly<3>>)
ANNOUNCED(nrand48, Reads<0, Exactly<3>>, Sets<0, Exactly<3>>)
ANNOUNCED(jrand48, Reads<0, Exactly<3>>, Sets<0, Exactly<3>>)
ANNOUNCED(random_r, Sets<0>, Sets<1>)

// --- strings ---
ANNOUNCED(explicit_bzero, Sets<0, Argument<1>>)
ANNOUNCED(swab, Reads<0, Argument<2>>, Sets<1, Argument<2>>)
ANNOUNCED(strxfrm, Text<1>, Fills<0, Argument<2>, ResultAndEnd>)
ANNOUNCED(strfromd, Fills<0, Argument<1>, ResultAndEnd>, Text<2>)
ANNOUNCED(strerror_r, Fills<1, Argument<2>, ToEnd>)
ANNOUNCED(__xpg_strerror_r, Fills<1, Argument<2>, ToEndIfZero>)
ANNOUNCED(a64l, Text<0>)
ANNOUNCED(fnmatch, Text<0>, Text<1>)
ANNOUNCED(wcsncpy, Text<1, Argument<2>>, Sets<0, Argument<2>>)
ANNOUNCED(wcscat, Appends<0, 1>)
ANNOUNCED(wcsncat, Appends<0, 1, Argument<2>>)
ANNOUNCED(wcsncmp, Compares<Argument<2>>)
ANNOUNCED(wcsnlen, Text<0, Argument<1>>)
ANNOUNCED(wcsdup, Text<0>)
ANNOUNCED(wcstol, Text<0>, Sets<1>)
ANNOUNCED(wcstoul, Text<0>, Sets<1>)
ANNOUNCED(wcstoll, Text<0>, Sets<1>)
ANNOUNCED(wcstoull, Text<0>, Sets<1>)
ANNOUNCED(wcstod, Text<0>, Sets<1>)
ANNOUNCED(mbstowcs, Text<1>, Fills<0, Argument<2>, ResultAndEnd>)
ANNOUNCED(wcstombs, Text<1>, Fills<0, Argument<2>, ResultAndEnd>)
ANNOUNCED(mbtowc, Text<1, Argument<2>>, Fills<0>)
ANNOUNCED(wctomb, Fills<0, Exactly<MB_LEN_MAX>, Result>)
ANNOUNCED(mbrtowc, Text<1, Argument<2>>, Fills<0>, Uses<3, true>)
ANNOUNCED(wcrtomb, Fills<0, Exactly<MB_LEN_MAX>, Result>, Uses<2, true>)
ANNOUNCED(iconv, Converts, Sets<1>, Sets<2>, Sets<3>, Sets<4>)
ANNOUNCED(regcomp, Sets<0>, Text<1>)
ANNOUNCED(regexec, Reads<0>, Text<1>, Fills<3, Argument<2>, AllIfZero>)
ANNOUNCED(regerror, Reads<1>, Fills<2, Argument<3>, ToEnd>)
ANNOUNCED(regfree, Reads<0>, Sets<0>)

// --- tables and trees: the program is called, and so is not in the middle of anything ---
ANNOUNCED(lfind, Uses<2, false>)
ANNOUNCED(lsearch, Uses<2, true>)
ANNOUNCED(tsearch, Uses<1, true>)
ANNOUNCED(tfind, Uses<1, false>)
ANNOUNCED(tdelete, Uses<1, true>)
ANNOUNCED(hcreate_r, Uses<1, true>)
ANNOUNCED(hdestroy_r, Uses<0, true>)
ANNOUNCED(hsearch_r, Sets<2>, Uses<3, true>)

// --- signals ---
ANNOUNCED(sigemptyset, Sets<0>)
ANNOUNCED(sigfillset, Sets<0>)
ANNOUNCED(sigaddset, Reads<0>, Sets<0>)
ANNOUNCED(sigdelset, Reads<0>, Sets<0>)
ANNOUNCED(sigismember, Reads<0>)
ANNOUNCED(sigisemptyset, Reads<0>)
ANNOUNCED(sigandset, Sets<0>, Reads<1>, Reads<2>)
ANNOUNCED(sigorset, Sets<0>, Reads<1>, Reads<2>)

// --- files by name ---
ANNOUNCED(stat, Text<0>, Fills<1>)
ANNOUNCED(lstat, Text<0>, Fills<1>)
ANNOUNCED(stat64, Text<0>, Fills<1>)
ANNOUNCED(lstat64, Text<0>, Fills<1>)
ANNOUNCED(fstat, Fills<1>)
ANNOUNCED(fstat64, Fills<1>)
ANNOUNCED(fstatat, Text<1>, Fills<2>)
ANNOUNCED(statfs, Text<0>, Fills<1>)
ANNOUNCED(fstatfs, Fills<1>)
ANNOUNCED(statvfs, Text<0>, Fills<1>)
ANNOUNCED(fstatvfs, Fills<1>)
ANNOUNCED(access, Text<0>)
ANNOUNCED(chmod, Text<0>)
ANNOUNCED(chown, Text<0>)
ANNOUNCED(readlink, Text<0>, Fills<1, Argument<2>, Result>)
ANNOUNCED(readlinkat, Text<1>, Fills<2, Argument<3>, Result>)
ANNOUNCED(realpath, Text<0>, Fills<1, Exactly<PATH_MAX>, ToEnd>)
ANNOUNCED(getcwd, Fills<0, Argument<1>, ToEnd>)
ANNOUNCED(glob, Text<0>, Uses<3, true>)
ANNOUNCED(mkdtemp, Text<0>, Fills<0, Itself<0>, All>)
ANNOUNCED_OURS(mkstemp, Text<0>, Fills<0, Itself<0>, All>)
ANNOUNCED_OURS(fopen, Text<0>, Text<1>)
ANNOUNCED_OURS(opendir, Text<0>)
ANNOUNCED_OURS(mkdir, Text<0>)
ANNOUNCED_OURS(rmdir, Text<0>)
ANNOUNCED_OURS(unlink, Text<0>)
ANNOUNCED_OURS(remove, Text<0>)
ANNOUNCED_OURS(rename, Text<0>, Text<1>)
ANNOUNCED_OURS(link, Text<0>, Text<1>)
ANNOUNCED_OURS(symlink, Text<0>, Text<1>)
ANNOUNCED_OURS(chdir, Text<0>)

// --- streams and descriptors ---
ANNOUNCED_OURS(getline, Streams<2, Use::kChanges>, Reads<0>, Reads<1>, Sets<0>, Sets<1>, Line)
ANNOUNCED_OURS(getdelim, Streams<3, Use::kChanges>, Reads<0>, Reads<1>, Sets<0>, Sets<1>, Line)
ANNOUNCED_OURS(__getdelim, Streams<3, Use::kChanges>, Reads<0>, Reads<1>, Sets<0>, Sets<1>, Line)
ANNOUNCED(fputws, Streams<1, Use::kAppends>, Text<0>)
ANNOUNCED(fgetpos, Streams<0, Use::kLooks>, Fills<1, One, AllIfZero>)
ANNOUNCED_OURS(fsetpos, Streams<0, Use::kChanges>, Reads<1>)
ANNOUNCED_OURS(fclose, Streams<0, Use::kEnds>)
ANNOUNCED(fputc, Streams<1, Use::kAppends>)
ANNOUNCED(putc, Streams<1, Use::kAppends>)
ANNOUNCED(fflush, Streams<0, Use::kAppends>)
ANNOUNCED(feof, Streams<0, Use::kLooks>)
ANNOUNCED(ferror, Streams<0, Use::kLooks>)
ANNOUNCED(fileno, Streams<0, Use::kLooks>)
ANNOUNCED(ftell, Streams<0, Use::kLooks>)
ANNOUNCED_OURS(fgetc, Streams<0, Use::kChanges>)
ANNOUNCED_OURS(getc, Streams<0, Use::kChanges>)
ANNOUNCED_OURS(ungetc, Streams<1, Use::kChanges>)
ANNOUNCED_OURS(fseek, Streams<0, Use::kChanges>)
ANNOUNCED_OURS(rewind, Streams<0, Use::kChanges>)
ANNOUNCED_OURS(pipe, Connects<0>, Fills<0, Exactly<2>>)
ANNOUNCED_OURS(pipe2, Connects<0>, Fills<0, Exactly<2>>)
ANNOUNCED_OURS(socketpair, Connects<3>, Fills<3, Exactly<2>>)
ANNOUNCED_OURS(eventfd, MakesOne)
ANNOUNCED_OURS(eventfd_write, Descriptor<DescriptorUse::kWrites>)
ANNOUNCED_OURS(eventfd_read, Descriptor<DescriptorUse::kReads>, Fills<1>)
ANNOUNCED(bind, Reads<1, Argument<2>>)
ANNOUNCED(connect, Reads<1, Argument<2>>)
ANNOUNCED(sendto, Reads<1, Argument<2>>, Reads<4, Argument<5>>)
ANNOUNCED(setsockopt, Reads<3, Argument<4>>)
ANNOUNCED(getsockopt, Reads<4>, Sets<4>, Fills<3, Pointed<4>, All>)
ANNOUNCED(getsockname, Reads<2>, Sets<2>, Fills<1, Pointed<2>, All>)
ANNOUNCED(getpeername, Reads<2>, Sets<2>, Fills<1, Pointed<2>, All>)
ANNOUNCED_OURS(recvfrom, Fills<1, Argument<2>, Result>)
ANNOUNCED(inet_pton, Text<1>, Fills<2, Address<0>, AllIfPositive>)
ANNOUNCED(inet_ntop, Reads<1, Address<0>>, Fills<2, Argument<3>, ToEnd>)
ANNOUNCED(inet_aton, Text<0>, Fills<1, One, AllIfPositive>)
ANNOUNCED(inet_addr, Text<0>)
ANNOUNCED(getaddrinfo, Text<0>, Text<1>, Reads<2>, Fills<3, One, AllIfZero>)

// --- the process and its machine ---
ANNOUNCED(uname, Fills<0>)
ANNOUNCED(sysinfo, Fills<0>)
ANNOUNCED(getloadavg, Fills<0, Argument<1>, Result>)
ANNOUNCED(getrusage, Fills<1>)
ANNOUNCED(getrlimit, Fills<1>)
ANNOUNCED(gethostname, Fills<0, Argument<1>, ToEnd>)
ANNOUNCED(getdomainname, Fills<0, Argument<1>, ToEnd>)
ANNOUNCED(confstr, Fills<1, Argument<2>, ToEnd>)
ANNOUNCED(ttyname_r, Fills<1, Argument<2>, ToEndIfZero>)
ANNOUNCED(getlogin_r, Fills<0, Argument<1>, ToEndIfZero>)
ANNOUNCED(getgroups, Fills<1, Argument<0>, Result>)
ANNOUNCED(getresuid, Fills<0>, Fills<1>, Fills<2>)
ANNOUNCED(getresgid, Fills<0>, Fills<1>, Fills<2>)
ANNOUNCED(getpwnam_r, Text<0>, Sets<1>, Sets<2, Argument<3>>, Sets<4>)
ANNOUNCED(getpwuid_r, Sets<1>, Sets<2, Argument<3>>, Sets<4>)
ANNOUNCED(getgrnam_r, Text<0>, Sets<1>, Sets<2, Argument<3>>, Sets<4>)
ANNOUNCED(getgrgid_r, Sets<1>, Sets<2, Argument<3>>, Sets<4>)

// --- lists of <search.h>: two links at the beginning of each element ---
namespace {
struct Linked {
  Linked* next;
  Linked* previous;
};
Linked*& at(Linked*& place, bool write, const void* pc) {
  if (controlled()) plain_access(reinterpret_cast<std::uintptr_t>(&place), sizeof place, write, pc);
  return place;
}
}  // namespace

extern "C" {
void __wrap_insque(Linked* element, Linked* behind) {
  const void* const pc = __builtin_return_address(0);
  Linked* const next = behind ? at(behind->next, false, pc) : nullptr;
  at(element->previous, true, pc) = behind;
  at(element->next, true, pc) = next;
  if (behind) at(behind->next, true, pc) = element;
  if (next) at(next->previous, true, pc) = element;
}
void __wrap_remque(Linked* element) {
  const void* const pc = __builtin_return_address(0);
  Linked* const next = at(element->next, false, pc);
  Linked* const previous = at(element->previous, false, pc);
  if (next) at(next->previous, true, pc) = previous;
  if (previous) at(previous->next, true, pc) = next;
}
}
