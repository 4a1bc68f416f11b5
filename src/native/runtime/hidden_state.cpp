// Functions that POSIX does not require to be thread-safe (XSH 2.9.1): they keep something from call to call, or return
// the same buffer every time. What they keep is not the program's memory, but two threads that call them without order
// race on it all the same. So each has a place in memory that stands for it, which calls write, or only read where the
// function only looks; a race there is a data race like any other, with both calls for its places.
//
// The places are part of the program's world (rewound, unlike the runtime's other data); their names are what the
// report says (supervisor/describer.cpp).
#include <arpa/inet.h>
#include <dirent.h>
#include <getopt.h>
#include <grp.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <netdb.h>
#include <pwd.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "native/runtime/hidden_state.h"
#include "native/runtime/library_call.h"

using namespace heddle::runtime;

#define PC __builtin_return_address(0)

// `volatile` keeps them apart; what is in them is of no interest, except for strtok's.
#define STATE(name)                                                                                            \
  extern "C" {                                                                                                 \
  __attribute__((section("heddle_world"), aligned(8))) char* volatile heddle_hidden_state_of_##name = nullptr; \
  }                                                                                                            \
  static_assert(true)

STATE(strtok);
STATE(localtime);
STATE(asctime);
STATE(getenv);
STATE(rand);
STATE(drand48);
STATE(strerror);
STATE(strsignal);
STATE(setlocale);
STATE(getpwnam);
STATE(getgrnam);
STATE(gethostbyname);
STATE(getservbyname);
STATE(inet_ntoa);
STATE(ttyname);
STATE(getlogin);
STATE(ptsname);
STATE(l64a);
STATE(getopt);
STATE(hsearch);
STATE(ecvt);
STATE(signgam);

namespace {

void* broken_down_time = nullptr;  // of localtime and gmtime
char* time_as_text = nullptr;      // of asctime and ctime
constexpr std::size_t kTimeText = 26;

void change(const volatile void* state, const void* pc) {
  plain_access(reinterpret_cast<std::uintptr_t>(state), sizeof(void*), true, pc);
}
void look(const volatile void* state, const void* pc) {
  plain_access(reinterpret_cast<std::uintptr_t>(state), sizeof(void*), false, pc);
}

template <class F>
tm* break_down(const time_t* when, F&& function, const void* pc) {
  LibraryCall call(pc);
  call.reads(when, sizeof *when);
  change(&heddle_hidden_state_of_localtime, pc);
  call.writes(broken_down_time, sizeof(tm));
  return call.perform([&] { return function(when); });
}

// The next part of the string that the first call was given.
char* next_token(char* s, const char* delimiters, const void* pc) {
  if (s == nullptr) {
    look(&heddle_hidden_state_of_strtok, pc);
    s = heddle_hidden_state_of_strtok;
  }
  if (s == nullptr) return nullptr;
  LibraryCall call(pc);
  call.reads_string(delimiters);
  char* const token = s + strspn(s, delimiters);
  char* const end = token + strcspn(token, delimiters);
  const bool last = *end == 0;
  call.reads(s, static_cast<std::size_t>(end - s) + 1);
  if (!last) call.writes(end, 1);
  call.perform([&] {
    if (!last) *end = 0;
  });
  change(&heddle_hidden_state_of_strtok, pc);
  heddle_hidden_state_of_strtok = last ? end : end + 1;
  return token == end ? nullptr : token;
}

}  // namespace

namespace heddle::runtime {

void find_hidden_buffers() {
  const time_t zero = 0;
  rt.in_engine = false;  // the time zone is kept on the program's heap
  tm* const buffer = gmtime(&zero);
  broken_down_time = buffer;
  time_as_text = asctime(buffer);
  rt.in_engine = true;
}

}  // namespace heddle::runtime

// A function whose arguments are of no interest; `how`: change or look.
#define UNSAFE(how, state, type, name, parameters, arguments) \
  type __wrap_##name parameters {                             \
    how(&heddle_hidden_state_of_##state, PC);                 \
    return name arguments;                                    \
  }
// ... that is given a string, too.
#define UNSAFE_OF_STRING(how, state, type, name, parameters, arguments, string) \
  type __wrap_##name parameters {                                               \
    LibraryCall call(PC);                                                       \
    call.reads_string(string);                                                  \
    how(&heddle_hidden_state_of_##state, PC);                                   \
    return call.perform([&] { return name arguments; });                        \
  }

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

extern "C" {

char* __wrap_strtok(char* s, const char* delimiters) { return next_token(s, delimiters, PC); }

tm* __wrap_localtime(const time_t* when) { return break_down(when, localtime, PC); }
tm* __wrap_gmtime(const time_t* when) { return break_down(when, gmtime, PC); }
char* __wrap_asctime(const tm* when) {
  LibraryCall call(PC);
  call.reads(when, sizeof *when);
  change(&heddle_hidden_state_of_asctime, PC);
  call.writes(time_as_text, kTimeText);
  return call.perform([&] { return asctime(when); });
}
char* __wrap_ctime(const time_t* when) {
  LibraryCall call(PC);
  call.reads(when, sizeof *when);
  change(&heddle_hidden_state_of_localtime, PC);
  change(&heddle_hidden_state_of_asctime, PC);
  call.writes(time_as_text, kTimeText);
  return call.perform([&] { return ctime(when); });
}

UNSAFE_OF_STRING(look, getenv, char*, getenv, (const char* name), (name), name)
UNSAFE_OF_STRING(look, getenv, char*, secure_getenv, (const char* name), (name), name)
UNSAFE_OF_STRING(change, getenv, int, putenv, (char* s), (s), s)
UNSAFE_OF_STRING(change, getenv, int, unsetenv, (const char* name), (name), name)
UNSAFE(change, getenv, int, clearenv, (), ())
int __wrap_setenv(const char* name, const char* value, int overwrite) {
  LibraryCall call(PC);
  call.reads_string(name);
  call.reads_string(value);
  change(&heddle_hidden_state_of_getenv, PC);
  return call.perform([&] { return setenv(name, value, overwrite); });
}

UNSAFE(change, rand, int, rand, (), ())
UNSAFE(change, rand, void, srand, (unsigned seed), (seed))
UNSAFE(change, drand48, double, drand48, (), ())
UNSAFE(change, drand48, long, lrand48, (), ())
UNSAFE(change, drand48, void, srand48, (long seed), (seed))
UNSAFE(change, strerror, char*, strerror, (int number), (number))
UNSAFE(change, strsignal, char*, strsignal, (int number), (number))
UNSAFE(change, setlocale, lconv*, localeconv, (), ())
UNSAFE(look, setlocale, char*, nl_langinfo, (nl_item item), (item))
char* __wrap_setlocale(int category, const char* name) {
  if (name != nullptr)
    change(&heddle_hidden_state_of_setlocale, PC);
  else
    look(&heddle_hidden_state_of_setlocale, PC);
  return setlocale(category, name);
}

UNSAFE_OF_STRING(change, getpwnam, passwd*, getpwnam, (const char* name), (name), name)
UNSAFE(change, getpwnam, passwd*, getpwuid, (uid_t user), (user))
UNSAFE(change, getpwnam, passwd*, getpwent, (), ())
UNSAFE_OF_STRING(change, getgrnam, group*, getgrnam, (const char* name), (name), name)
UNSAFE(change, getgrnam, group*, getgrgid, (gid_t id), (id))
UNSAFE(change, getgrnam, group*, getgrent, (), ())
UNSAFE_OF_STRING(change, gethostbyname, hostent*, gethostbyname, (const char* name), (name), name)
UNSAFE_OF_STRING(change, getservbyname, servent*, getservbyname, (const char* name, const char* protocol),
                 (name, protocol), name)
UNSAFE(change, inet_ntoa, char*, inet_ntoa, (in_addr address), (address))
UNSAFE(change, ttyname, char*, ttyname, (int fd), (fd))
UNSAFE(change, getlogin, char*, getlogin, (), ())
UNSAFE(change, ptsname, char*, ptsname, (int fd), (fd))
UNSAFE(change, l64a, char*, l64a, (long n), (n))
UNSAFE(change, getopt, int, getopt, (int count, char* const* words, const char* options), (count, words, options))
UNSAFE(change, getopt, int, getopt_long,
       (int count, char* const* words, const char* options, const option* longer, int* index),
       (count, words, options, longer, index))
UNSAFE(change, getopt, int, getopt_long_only,
       (int count, char* const* words, const char* options, const option* longer, int* index),
       (count, words, options, longer, index))
UNSAFE_OF_STRING(change, getservbyname, protoent*, getprotobyname, (const char* name), (name), name)
UNSAFE(change, getpwnam, void, setpwent, (), ())
UNSAFE(change, getpwnam, void, endpwent, (), ())
UNSAFE(change, ecvt, char*, ecvt, (double value, int digits, int* point, int* sign), (value, digits, point, sign))
UNSAFE(change, ecvt, char*, fcvt, (double value, int digits, int* point, int* sign), (value, digits, point, sign))
UNSAFE(change, signgam, double, lgamma, (double x), (x))
UNSAFE(change, signgam, float, lgammaf, (float x), (x))
UNSAFE(change, signgam, long double, lgammal, (long double x), (x))
UNSAFE(change, hsearch, int, hcreate, (std::size_t size), (size))
UNSAFE(change, hsearch, void, hdestroy, (), ())
UNSAFE(change, hsearch, ENTRY*, hsearch, (ENTRY entry, ACTION action), (entry, action))

// Of one directory stream.
dirent* __wrap_readdir(DIR* directory) {
  change(directory, PC);
  return readdir(directory);
}
}
