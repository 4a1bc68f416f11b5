"""What functions of the C library read and write is seen: for each row of the runtime's table, a race per argument.

Usage: announced_functions.py HEDDLE TABLE

The program has a test for each object that a call is given: one thread calls the function, the other writes the
object's first byte. Each must be a data race, and each row of TABLE (announced_functions.cpp) must have calls here.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

# function: objects, call. Objects are globals of the test; each is written by the other thread in a test of its own.
CALLS = {
    "clock_gettime": ("timespec a;", "clock_gettime(CLOCK_REALTIME, &a)"),
    "gettimeofday": ("timeval a;", "gettimeofday(&a, nullptr)"),
    "time": ("time_t a;", "time(&a)"),
    "timespec_get": ("timespec a;", "timespec_get(&a, TIME_UTC)"),
    "clock_getres": ("timespec a;", "clock_getres(CLOCK_REALTIME, &a)"),
    "gmtime_r": ("time_t a; tm b;", "gmtime_r(&a, &b)"),
    "localtime_r": ("time_t a; tm b;", "localtime_r(&a, &b)"),
    "asctime_r": ("tm a; char b[26];", "asctime_r(&a, b)"),
    "ctime_r": ("time_t a; char b[26];", "ctime_r(&a, b)"),
    "mktime": ("tm a;", "mktime(&a)"),
    "timegm": ("tm a;", "timegm(&a)"),
    "strftime": ('char a[9]; char b[9] = "%S"; tm c;', "strftime(a, sizeof a, b, &c)"),
    "strptime": ('char a[9] = "1"; char b[9] = "%S"; tm c;', "strptime(a, b, &c)"),
    "times": ("tms a;", "times(&a)"),
    "frexp": ("int a;", "frexp(one, &a)"),
    "frexpf": ("int a;", "frexpf(one, &a)"),
    "frexpl": ("int a;", "frexpl(one, &a)"),
    "modf": ("double a;", "modf(double(one), &a)"),
    "modff": ("float a;", "modff(one, &a)"),
    "modfl": ("long double a;", "modfl(one, &a)"),
    "remquo": ("int a;", "remquo(double(one), 2.0, &a)"),
    "remquof": ("int a;", "remquof(one, 2, &a)"),
    "remquol": ("int a;", "remquol(one, 2, &a)"),
    "sincos": ("double a, b;", "sincos(one, &a, &b)"),
    "sincosf": ("float a, b;", "sincosf(one, &a, &b)"),
    "sincosl": ("long double a, b;", "sincosl(one, &a, &b)"),
    "lgamma_r": ("int a;", "lgamma_r(one, &a)"),
    "lgammaf_r": ("int a;", "lgammaf_r(one, &a)"),
    "_ZSt10from_charsPKcS0_RfSt12chars_format": ('char a[8] = "1.5"; float b;', "std::from_chars(a, a + 3, b)"),
    "_ZSt10from_charsPKcS0_RdSt12chars_format": ('char a[8] = "1.5"; double b;', "std::from_chars(a, a + 3, b)"),
    "_ZSt10from_charsPKcS0_ReSt12chars_format": ('char a[8] = "1.5"; long double b;', "std::from_chars(a, a + 3, b)"),
    "_ZSt8to_charsPcS_f": ("char a[20];", "std::to_chars(a, a + 20, 1.5f)"),
    "_ZSt8to_charsPcS_d": ("char a[20];", "std::to_chars(a, a + 20, 1.5)"),
    "_ZSt8to_charsPcS_dSt12chars_format": ("char a[20];", "std::to_chars(a, a + 20, 1.5, std::chars_format::fixed)"),
    "_ZSt8to_charsPcS_dSt12chars_formati": ("char a[20];", "std::to_chars(a, a + 20, 1.5, std::chars_format::fixed, 2)"),
    "getrandom": ("char a[8];", "getrandom(a, 8, 0)"),
    "getentropy": ("char a[8];", "getentropy(a, 8)"),
    "rand_r": ("unsigned a;", "rand_r(&a)"),
    "erand48": ("unsigned short a[3];", "erand48(a)"),
    "nrand48": ("unsigned short a[3];", "nrand48(a)"),
    "jrand48": ("unsigned short a[3];", "jrand48(a)"),
    "random_r": ("random_data a; int b;", "random_r(&a, &b)", "static char state[32]; initstate_r(1, state, 32, &a);"),
    "explicit_bzero": ("char a[8];", "explicit_bzero(a, 8)"),
    "swab": ("char a[8], b[8];", "swab(a, b, 8)"),
    "strxfrm": ('char a[8]; char b[8] = "xy";', "strxfrm(a, b, 8)"),
    "strfromd": ('char a[8]; char b[8] = "%g";', "strfromd(a, 8, b, 1)"),
    "strerror_r": ("char a[80];", "strerror_r(12345, a, sizeof a)"),
    "__xpg_strerror_r": ("char a[80];", "__xpg_strerror_r(1, a, sizeof a)"),
    "a64l": ('char a[8] = "xy";', "use(a64l(a))"),
    "fnmatch": ('char a[8] = "x*"; char b[8] = "xy";', "fnmatch(a, b, 0)"),
    "wcsncpy": ('wchar_t a[8]; wchar_t b[8] = L"xy";', "wcsncpy(a, b, 4)"),
    "wcscat": ('wchar_t a[8]; wchar_t b[8] = L"xy";', "wcscat(a, b)"),
    "wcsncat": ('wchar_t a[8]; wchar_t b[8] = L"xy";', "wcsncat(a, b, 2)"),
    "wcsncmp": ('wchar_t a[8] = L"xz"; wchar_t b[8] = L"xy";', "use(wcsncmp(a, b, 2))"),
    "wcsnlen": ('wchar_t a[8] = L"xz";', "use(wcsnlen(a, 8))"),
    "wcsdup": ('wchar_t a[8] = L"xz";', "free(wcsdup(a))"),
    "wcstol": ('wchar_t a[8] = L"12"; wchar_t* b;', "use(wcstol(a, &b, 10))"),
    "wcstoul": ('wchar_t a[8] = L"12"; wchar_t* b;', "use(wcstoul(a, &b, 10))"),
    "wcstoll": ('wchar_t a[8] = L"12"; wchar_t* b;', "use(wcstoll(a, &b, 10))"),
    "wcstoull": ('wchar_t a[8] = L"12"; wchar_t* b;', "use(wcstoull(a, &b, 10))"),
    "wcstod": ('wchar_t a[8] = L"12"; wchar_t* b;', "use(wcstod(a, &b))"),
    "mbstowcs": ('wchar_t a[8]; char b[8] = "xy";', "mbstowcs(a, b, 8)"),
    "wcstombs": ('char a[8]; wchar_t b[8] = L"xy";', "wcstombs(a, b, 8)"),
    "mbtowc": ('wchar_t a; char b[8] = "xy";', "mbtowc(&a, b, 2)"),
    "wctomb": ("char a[16];", "wctomb(a, L'x')"),
    "mbrtowc": ('wchar_t a; char b[8] = "xy"; mbstate_t c;', "mbrtowc(&a, b, 2, &c)"),
    "wcrtomb": ("char a[16]; mbstate_t b;", "wcrtomb(a, L'x', &b)"),
    "iconv": ('char a[8] = "xy"; char b[8]; char* c = a; char* d = b; size_t e = 2, f = 8; iconv_t cd = iconv_open("UTF-8", "UTF-8");',
              "iconv(cd, &c, &e, &d, &f)"),
    "regcomp": ('regex_t a; char b[8] = "x+";', "regcomp(&a, b, 0)"),
    "regexec": ('regex_t a; char b[8] = "xy"; regmatch_t c;', "regexec(&a, b, 1, &c, 0)", 'regcomp(&a, "x", 0);'),
    "regerror": ("regex_t a; char b[80];", "regerror(1, &a, b, 80)"),
    "regfree": ("regex_t a;", "regfree(&a)"),
    "lfind": ("int key = 1, base[1] = {1}; size_t a = 1;", "lfind(&key, base, &a, 4, same)"),
    "lsearch": ("int key = 1, base[1] = {1}; size_t a = 1;", "lsearch(&key, base, &a, 4, same)"),
    "tsearch": ("int key = 1; void* a;", "tsearch(&key, &a, same)"),
    "tfind": ("int key = 1; void* a;", "use(tfind(&key, &a, same))"),
    "tdelete": ("int key = 1; void* a;", "tdelete(&key, &a, same)", "tsearch(&key, &a, same);"),
    "hcreate_r": ("hsearch_data a;", "hcreate_r(10, &a)"),
    "hdestroy_r": ("hsearch_data a;", "hdestroy_r(&a)"),
    "hsearch_r": ('char key[2] = "k"; ENTRY* a; hsearch_data b;', "hsearch_r(ENTRY{key, nullptr}, ENTER, &a, &b)",
                  "hcreate_r(10, &b);"),
    "sigemptyset": ("sigset_t a;", "sigemptyset(&a)"),
    "sigfillset": ("sigset_t a;", "sigfillset(&a)"),
    "sigaddset": ("sigset_t a;", "sigaddset(&a, 1)"),
    "sigdelset": ("sigset_t a;", "sigdelset(&a, 1)"),
    "sigismember": ("sigset_t a;", "use(sigismember(&a, 1))"),
    "sigisemptyset": ("sigset_t a;", "use(sigisemptyset(&a))"),
    "sigandset": ("sigset_t a, b, c;", "sigandset(&a, &b, &c)"),
    "sigorset": ("sigset_t a, b, c;", "sigorset(&a, &b, &c)"),
    "stat": ('char a[8] = "/"; struct stat b;', "stat(a, &b)"),
    "lstat": ('char a[8] = "/"; struct stat b;', "lstat(a, &b)"),
    "stat64": ('char a[8] = "/"; struct stat64 b;', "stat64(a, &b)"),
    "lstat64": ('char a[8] = "/"; struct stat64 b;', "lstat64(a, &b)"),
    "fstat": ("struct stat a;", "fstat(0, &a)"),
    "fstat64": ("struct stat64 a;", "fstat64(0, &a)"),
    "fstatat": ('char a[8] = "/"; struct stat b;', "fstatat(AT_FDCWD, a, &b, 0)"),
    "statfs": ('char a[8] = "/"; struct statfs b;', "statfs(a, &b)"),
    "fstatfs": ("struct statfs a;", "fstatfs(0, &a)"),
    "statvfs": ('char a[8] = "/"; struct statvfs b;', "statvfs(a, &b)"),
    "fstatvfs": ("struct statvfs a;", "fstatvfs(0, &a)"),
    "access": ('char a[8] = "/";', "access(a, 0)"),
    "chmod": ('char a[8] = "/none";', "chmod(a, 0)"),
    "chown": ('char a[8] = "/none";', "chown(a, 0, 0)"),
    "readlink": ('char a[20] = "/proc/self/exe"; char b[8];', "readlink(a, b, 8)"),
    "readlinkat": ('char a[20] = "/proc/self/exe"; char b[8];', "readlinkat(AT_FDCWD, a, b, 8)"),
    "realpath": ('char a[8] = "/"; char b[4096];', "realpath(a, b)"),
    "getcwd": ("char a[4096];", "getcwd(a, sizeof a)"),
    "glob": ('char a[8] = "/"; glob_t b;', "glob(a, 0, nullptr, &b)"),
    "mkdtemp": ('char a[20] = "/nowhere/XXXXXX";', "mkdtemp(a)"),
    "mkstemp": ('char a[20] = "/nowhere/XXXXXX";', "mkstemp(a)"),
    "fopen": ('char a[20] = "/nowhere"; char b[2] = "r";', "fopen(a, b)"),
    "opendir": ('char a[20] = "/nowhere";', "opendir(a)"),
    "mkdir": ('char a[20] = "/nowhere/x";', "mkdir(a, 0)"),
    "rmdir": ('char a[20] = "/nowhere/x";', "rmdir(a)"),
    "unlink": ('char a[20] = "/nowhere/x";', "unlink(a)"),
    "remove": ('char a[20] = "/nowhere/x";', "remove(a)"),
    "rename": ('char a[20] = "/nowhere/x"; char b[20] = "/nowhere/y";', "rename(a, b)"),
    "link": ('char a[20] = "/nowhere/x"; char b[20] = "/nowhere/y";', "link(a, b)"),
    "symlink": ('char a[20] = "/nowhere/x"; char b[20] = "/nowhere/y";', "symlink(a, b)"),
    "chdir": ('char a[20] = "/nowhere";', "chdir(a)"),
    "getline": ("char* a; size_t b;", "getline(&a, &b, numbers())"),
    "getdelim": ("char* a; size_t b;", "getdelim(&a, &b, 'x', numbers())"),
    "__getdelim": ("char* a; size_t b;", "__getdelim(&a, &b, 'x', numbers())"),
    **{name: None for name in ("fclose", "fputc", "putc", "fflush", "feof", "ferror", "fileno", "ftell", "fgetc", "getc",
                               "ungetc", "fseek", "rewind", "eventfd", "eventfd_write")},   # the order of their calls matters, not memory
    "fputws": ('wchar_t a[8] = L"xy";', "fputws(a, numbers())"),
    "fgetpos": ("fpos_t a;", "fgetpos(numbers(), &a)"),
    "fsetpos": ("fpos_t a;", "fsetpos(numbers(), &a)"),
    "pipe": ("int a[2];", "pipe(a)"),
    "pipe2": ("int a[2];", "pipe2(a, O_CLOEXEC)"),
    "socketpair": ("int a[2];", "socketpair(AF_UNIX, SOCK_STREAM, 0, a)"),
    "eventfd_read": ("eventfd_t a;", "eventfd_read(eventfd(1, 0), &a)"),
    "bind": ("sockaddr_in a;", "bind(-1, (sockaddr*)&a, sizeof a)"),
    "connect": ("sockaddr_in a;", "connect(-1, (sockaddr*)&a, sizeof a)"),
    "sendto": ("char a[8]; sockaddr_in b;", "sendto(-1, a, 8, 0, (sockaddr*)&b, sizeof b)"),
    "setsockopt": ("int a;", "setsockopt(-1, 0, 0, &a, 4)"),
    "getsockopt": ("int a; socklen_t b = 4;", "getsockopt(local(), SOL_SOCKET, SO_TYPE, &a, &b)"),
    "getsockname": ("sockaddr_storage a; socklen_t b = sizeof a;", "getsockname(local(), (sockaddr*)&a, &b)"),
    "getpeername": ("sockaddr_storage a; socklen_t b = sizeof a;", "getpeername(local(), (sockaddr*)&a, &b)"),
    "recvfrom": ("char a[8];", "recvfrom(local(), a, 8, 0, nullptr, nullptr)"),
    "inet_pton": ('char a[20] = "1.2.3.4"; in_addr b;', "inet_pton(AF_INET, a, &b)"),
    "inet_ntop": ("in_addr a; char b[20];", "inet_ntop(AF_INET, &a, b, 20)"),
    "inet_aton": ('char a[20] = "1.2.3.4"; in_addr b;', "inet_aton(a, &b)"),
    "inet_addr": ('char a[20] = "1.2.3.4";', "use(inet_addr(a))"),
    "getaddrinfo": ('char a[20] = "1.2.3.4"; char b[8] = "80"; addrinfo c; addrinfo* d;', "getaddrinfo(a, b, &c, &d)",
                    "c.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;"),
    "uname": ("utsname a;", "uname(&a)"),
    "sysinfo": ("struct sysinfo a;", "sysinfo(&a)"),
    "getloadavg": ("double a[3];", "getloadavg(a, 3)"),
    "getrusage": ("rusage a;", "getrusage(RUSAGE_SELF, &a)"),
    "getrlimit": ("rlimit a;", "getrlimit(RLIMIT_CORE, &a)"),
    "gethostname": ("char a[80];", "gethostname(a, 80)"),
    "getdomainname": ("char a[80];", "getdomainname(a, 80)"),
    "confstr": ("char a[80];", "confstr(_CS_PATH, a, 80)"),
    "ttyname_r": None,   # there is no terminal
    "getlogin_r": None,
    "getgroups": None,   # there may be none
    "getresuid": ("uid_t a, b, c;", "getresuid(&a, &b, &c)"),
    "getresgid": ("gid_t a, b, c;", "getresgid(&a, &b, &c)"),
    "getpwnam_r": ('char a[8] = "root"; passwd b; char c[999]; passwd* d;', "getpwnam_r(a, &b, c, 999, &d)"),
    "getpwuid_r": ("passwd a; char b[999]; passwd* c;", "getpwuid_r(0, &a, b, 999, &c)"),
    "getgrnam_r": ('char a[8] = "root"; group b; char c[999]; group* d;', "getgrnam_r(a, &b, c, 999, &d)"),
    "getgrgid_r": ("group a; char b[999]; group* c;", "getgrgid_r(0, &a, b, 999, &c)"),
}
# Those that are no rows, because their ranges take more to say.
OTHERS = {
    "insque": ("void *a[2], *b[2];", "insque(a, b)"),
    "remque": ("void *a[2], *b[2];", "remque(a)", "insque(a, b);"),
    "asprintf": ('char* a; char b[8] = "xy";', 'asprintf(&a, "%s", b)'),
    "dprintf": ('char a[8] = "xy";', 'dprintf(1, "%s", a)'),
    "readv": ("char a[2], b[2];", "iovec v[] = {{a, 2}, {b, 2}}; readv(numbers_file(), v, 2)"),
    "writev": ("char a[2], b[2];", "iovec v[] = {{a, 2}, {b, 2}}; writev(1, v, 2)"),
    "strtok_r": ('char a[8] = "x y"; char* b;', 'strtok_r(a, " ", &b)'),
    "strsep": ('char a[8] = "x y"; char* b = a;', 'strsep(&b, " ")'),
    "strdup": ('char a[8] = "x y";', "kept = strdup(a)"),
    "read": ("char a[8];", "read(numbers_file(), a, 8)"),
    "write": ("char a[8];", "write(1, a, 8)"),
    "wcscpy": ('wchar_t a[8]; wchar_t b[8] = L"xy";', "wcscpy(a, b)"),
    "snprintf": ('char a[8]; char b[8] = "xy";', 'snprintf(a, 8, "%s", b)'),
    "sscanf": ('char a[8] = "12"; int b;', 'sscanf(a, "%d", &b)'),
    "memcpy": ("char a[80], b[80];", "memcpy(a, b, 80)"),
    "poll": ("pollfd a = {1, POLLOUT, 0};", "poll(&a, 1, 0)"),
    "select": ("fd_set a; timeval b;", "FD_SET(1, &a); select(2, nullptr, &a, nullptr, &b)"),
    "nanosleep": ("timespec a;", "nanosleep(&a, nullptr)"),
    "pthread_create": ("pthread_t a;", "pthread_create(&a, nullptr, nothing, nullptr); pthread_join(a, nullptr)"),
    "pthread_join": ("void* a;", "pthread_t t; pthread_create(&t, nullptr, nothing, nullptr); pthread_join(t, &a)"),
    "sem_getvalue": ("int a; sem_t unused;", "sem_getvalue(&unused, &a)"),
}

HEADERS = """charconv arpa/inet.h dirent.h fcntl.h fnmatch.h glob.h grp.h heddle/heddle.hpp iconv.h limits.h math.h netdb.h poll.h
pthread.h pwd.h regex.h search.h semaphore.h signal.h stdio.h stdlib.h string.h sys/eventfd.h sys/random.h sys/resource.h
sys/select.h sys/socket.h sys/stat.h sys/statfs.h sys/statvfs.h sys/sysinfo.h sys/time.h sys/times.h sys/uio.h
sys/utsname.h thread time.h unistd.h wchar.h"""
UNSHARED = {"key", "base", "cd", "unused"}

BEGIN = """
extern "C" int __xpg_strerror_r(int, char*, size_t);
volatile float one = 1;
template <class T> void use(T value) { static volatile thread_local T kept; kept = value; }
int same(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
void* nothing(void*) { return nullptr; }
int numbers_file() { return open("/etc/passwd", O_RDONLY); }
FILE* numbers() { return fopen("/etc/passwd", "r"); }
int local() { int s[2]; socketpair(AF_UNIX, SOCK_STREAM, 0, s); send(s[1], "12345678", 8, 0); return s[0]; }
void* volatile kept;   // a copy that nobody keeps is none from -O1 on
void poke(void* p) { volatile char* c = (volatile char*)p; *c = *c; }
"""


def objects_of(declarations):
    """Names that are declared: what stands before a semicolon, a comma or an equals sign, without initialisers."""
    text = re.sub(r'"[^"]*"', '""', declarations)
    text = re.sub(r"\{[^}]*\}|\([^)]*\)", "", text)
    text = re.sub(r"=[^;,]*", "", text)
    return [n for n in re.findall(r"(\w+)(?:\[\w+\])?\s*(?=[;,])", text) if n not in UNSHARED]


def program(calls):
    parts = ["#include <%s>" % h for h in HEADERS.split()] + [BEGIN]
    tests = []
    for name, row in calls.items():
        if row is None:
            continue
        declarations, call, setup = (*row, "")[:3]
        parts.append("namespace of_%s { %s }" % (name, declarations))
        for shared in objects_of(declarations):
            tests.append("%s_%s" % (name, shared))
            parts.append("HEDDLE_TEST(%s) { using namespace of_%s; %s\n  std::thread t([] { %s; }); poke(&%s); t.join(); }"
                         % (tests[-1], name, setup, call, shared))
    return "\n".join(parts) + "\n", tests


def main():
    heddle, table = sys.argv[1:3]
    rows = re.findall(r"^ANNOUNCED(?:_OURS|_AS)?\((\w+)", pathlib.Path(table).read_text(), re.MULTILINE)
    failures = ["no call of %s here: every row is tried" % r for r in rows if r not in CALLS]
    failures += ["%s is no row of the table" % r for r in CALLS if r not in rows]
    text, tests = program({**CALLS, **OTHERS})
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "announced.cpp")
        pathlib.Path(source).write_text(text)
        junit = os.path.join(folder, "results.xml")
        run = subprocess.run([heddle, "run", source, "--max-seconds=20", "--junit=" + junit, "--", "-std=c++20", "-w", "-O1"],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if not os.path.exists(junit):
            print(run.stdout[-3000:])
            return 1
        seen = {}
        for case in xml.parse(junit).getroot().iter("testcase"):
            failure = case.find("failure")
            seen[case.get("name")] = "" if failure is None else failure.get("type") or failure.get("message")
    for test in tests:
        if "race" not in seen.get(test, "it was not run"):
            failures.append("%s: %s" % (test, seen.get(test, "it was not run") or "no race is seen"))
    print("\n".join(failures) if failures else "%d races seen" % len(tests))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
