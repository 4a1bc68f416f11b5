// Calls of the C library that use what the kernel keeps for the program (kernel_state.h), or change what it keeps about
// the process (process_state.h).
//
// They are stubs that tell, and go on in the next definition with all arguments as they were. Weak: a program may have
// a function of that name.
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "native/runtime/io_order.h"
#include "native/runtime/kernel_state.h"
#include "native/runtime/process_state.h"
#include "native/runtime/raw.h"
#include "native/runtime/requests.h"
#include "native/runtime/runtime.h"
#include "native/runtime/spinning.h"

using namespace heddle::runtime;

// clang-format off
#define TOUCHING_CALLS(X)                                                                                        \
  X(open) X(open64) X(openat) X(openat64) X(creat) X(creat64) X(__open_2) X(__open64_2) X(__openat_2)            \
  X(__openat64_2) X(fopen) X(fopen64) X(fdopen) X(tmpfile) X(tmpfile64) X(mkstemp) X(mkstemp64) X(mkostemp)      \
  X(mkostemp64) X(popen) X(memfd_create) X(shm_open) X(shm_unlink) X(shmget) X(shmat) X(shmdt) X(opendir)        \
  X(fdopendir) X(readdir) X(readdir64) X(scandir) X(scandir64) X(ftw) X(nftw) X(pipe2) X(socket)                 \
  X(socketpair) X(accept) X(accept4) X(recv) X(recvfrom) X(recvmsg) X(recvmmsg) X(eventfd)                       \
  X(timerfd_create) X(signalfd) X(inotify_init) X(inotify_init1) X(epoll_create) X(epoll_create1) X(dup)         \
  X(lseek) X(lseek64) X(readv) X(preadv) X(preadv64) X(pread64) X(__read_chk) X(__pread_chk) X(sendfile)         \
  X(splice) X(ftruncate) X(ftruncate64) X(truncate) X(truncate64) X(mkdir) X(rmdir) X(unlink) X(unlinkat)        \
  X(remove) X(rename) X(renameat) X(link) X(symlink) X(flock) X(lockf) X(mq_open) X(eventfd_read)                \
  X(eventfd_write) X(fgetc) X(getc) X(_IO_getc) X(getchar) X(ungetc) X(getline) X(getdelim) X(__getdelim)        \
  X(fseek) X(fseeko) X(rewind) X(fsetpos) X(sem_open) X(sem_close) X(sem_unlink)

// Those that change what the process is, and what is asked before each (given its first arguments).
#define CHANGING_CALLS(X)                                                                                        \
  X(close, closes) X(dup2, replaces) X(dup3, replaces) X(fcntl, alters) X(fcntl64, alters)                       \
  X(fclose, closes_stream) X(freopen, reopens) X(freopen64, reopens) X(chdir, moves) X(fchdir, moves)            \
  X(umask, masks) X(setrlimit, limits) X(setrlimit64, limits) X(prlimit, limits_of) X(prlimit64, limits_of)      \
  X(sched_setaffinity, pins) X(prctl, controls) X(nice, lasts)                   \
  X(setpriority, lasts) X(sched_setscheduler, lasts) X(sched_setparam, lasts) X(setuid, lasts)                   \
  X(setgid, lasts) X(seteuid, lasts) X(setegid, lasts) X(setreuid, lasts) X(setregid, lasts)                     \
  X(setresuid, lasts) X(setresgid, lasts) X(setgroups, lasts) X(initgroups, lasts) X(chroot, lasts)              \
  X(unshare, lasts) X(setns, lasts) X(setsid, lasts) X(setpgid, lasts) X(setpgrp, lasts) X(daemon, lasts)        \
  X(personality, lasts) X(dlopen, lasts) X(dlmopen, lasts) X(dlclose, lasts) X(mprotect, protects)
// clang-format on

namespace {
enum Call : int {
#define NUMBER(name, ...) kCall_##name,
  TOUCHING_CALLS(NUMBER) CHANGING_CALLS(NUMBER)
#undef NUMBER
      kCalls
};
constexpr const char* kNames[] = {
#define NAME(name, ...) #name,
    TOUCHING_CALLS(NAME) CHANGING_CALLS(NAME)
#undef NAME
};

constexpr bool is_cancellation_point(int call) {
  for (const Call point :
       {kCall_open, kCall_open64, kCall_openat, kCall_openat64, kCall_creat, kCall_creat64, kCall_accept, kCall_accept4,
        kCall_recv, kCall_recvfrom, kCall_recvmsg, kCall_readv, kCall_close, kCall_lockf})
    if (call == point) return true;
  return false;
}

// Those whose order with what other threads do matters (io_order.h).
void use_in_order(int call, long a, long b, const void* pc) {
  switch (call) {
    case kCall_close:
      return use_descriptor(static_cast<int>(a), DescriptorUse::kCloses, 0, pc);
    case kCall_dup2:
    case kCall_dup3:
      return use_descriptor(static_cast<int>(b), DescriptorUse::kCloses, 0, pc);
    case kCall_lseek:
    case kCall_lseek64:
    case kCall_ftruncate:
    case kCall_ftruncate64:
      return use_descriptor(static_cast<int>(a), DescriptorUse::kSeeks, 0, pc);
    default:
      return;
  }
}

// What is asked before a call that changes the process.
using Question = void (*)(const char* name, long a, long b, long c);

void lasts(const char* name, long, long, long) { cannot_be_undone(name); }
void closes(const char* name, long descriptor, long, long) {
  if (was_open_at_start(static_cast<int>(descriptor))) cannot_be_undone(name);
}
void replaces(const char* name, long, long descriptor, long) { closes(name, descriptor, 0, 0); }
void alters(const char* name, long descriptor, long command, long) {
  const bool changes = command == F_SETFD || command == F_SETFL || command == F_SETOWN || command == F_SETPIPE_SZ;
  if (changes) closes(name, descriptor, 0, 0);
}
void closes_stream(const char* name, long stream, long, long) {
  if (stream != 0) closes(name, fileno(reinterpret_cast<FILE*>(stream)), 0, 0);
}
void reopens(const char* name, long, long, long stream) { closes_stream(name, stream, 0, 0); }
void moves(const char*, long, long, long) { keep_folder(); }
void masks(const char*, long, long, long) { keep_file_mask(); }
void pins(const char*, long, long, long) { keep_processors(); }
// A limit that nobody may exceed can be lowered, not raised again.
void limits(const char* name, long resource, long to, long) {
  if (to == 0) return;
  rlimit now{};
  raw::syscall(SYS_prlimit64, 0, resource, 0, reinterpret_cast<long>(&now));
  if (reinterpret_cast<const rlimit*>(to)->rlim_max < now.rlim_max) cannot_be_undone(name);
  keep_limit(static_cast<int>(resource));
}
void limits_of(const char* name, long, long resource, long to) { limits(name, resource, to, 0); }
void controls(const char* name, long what, long, long) {
  switch (what) {
    case PR_SET_NAME:
      return keep_name();
    case PR_GET_NAME:
    case PR_GET_PDEATHSIG:
    case PR_GET_DUMPABLE:
    case PR_GET_KEEPCAPS:
    case PR_GET_TIMERSLACK:
    case PR_CAPBSET_READ:
    case PR_GET_NO_NEW_PRIVS:
    case PR_GET_SECCOMP:
      return;
    default:
      return cannot_be_undone(name);
  }
}
void protects(const char* name, long address, long, long) {
  if (!is_mapping_of_program(reinterpret_cast<const void*>(address))) cannot_be_undone(name);
}

constexpr Question kQuestions[] = {
#define NONE(name) nullptr,
    TOUCHING_CALLS(NONE)
#undef NONE
#define QUESTION(name, question) question,
        CHANGING_CALLS(QUESTION)
#undef QUESTION
};
void* definitions[kCalls];
}  // namespace

void heddle::runtime::ask_before_system_call(long number, long a, long b, long c) {
  EngineScope scope;
  switch (number) {
#define SAME_AS(name, question) \
  case SYS_##name:              \
    return question(#name, a, b, c);
    SAME_AS(close, closes)
    SAME_AS(dup2, replaces)
    SAME_AS(dup3, replaces)
    SAME_AS(fcntl, alters)
    SAME_AS(chdir, moves)
    SAME_AS(fchdir, moves)
    SAME_AS(umask, masks)
    SAME_AS(setrlimit, limits)
    SAME_AS(prlimit64, limits_of)
    SAME_AS(sched_setaffinity, pins)
    SAME_AS(prctl, controls)
    SAME_AS(mprotect, protects)
    SAME_AS(setpriority, lasts)
    SAME_AS(sched_setscheduler, lasts)
    SAME_AS(sched_setparam, lasts)
    SAME_AS(setuid, lasts)
    SAME_AS(setgid, lasts)
    SAME_AS(setreuid, lasts)
    SAME_AS(setregid, lasts)
    SAME_AS(setresuid, lasts)
    SAME_AS(setresgid, lasts)
    SAME_AS(setgroups, lasts)
    SAME_AS(chroot, lasts)
    SAME_AS(unshare, lasts)
    SAME_AS(setns, lasts)
    SAME_AS(setsid, lasts)
    SAME_AS(setpgid, lasts)
    SAME_AS(personality, lasts)
    SAME_AS(close_range, lasts)
#undef SAME_AS
    default:
      return;
  }
}

extern "C" {

// The stub's call: where to go on.
__attribute__((used, visibility("hidden"))) void* heddle_touching_call(int call, long a, long b, long c,
                                                                       const void* pc) {
  const bool of_program = controlled();
  if (of_program) touches_kernel_state();
  note_hidden_change();
  // A handler that runs in one is taken to have run before it.
  if (of_program && rt.asked != 0 && is_cancellation_point(call)) {
    cancellation_point(pc);
    leave_cancellation_point();
  }
  if (of_program) use_in_order(call, a, b, pc);
  EngineScope scope;
  if (of_program && kQuestions[call] != nullptr) kQuestions[call](kNames[call], a, b, c);
  if (definitions[call] == nullptr) definitions[call] = dlsym(RTLD_NEXT, kNames[call]);
  if (definitions[call] == nullptr) raw::die("a function of the C library that the program calls is not there");
  return definitions[call];
}
}

#define TOUCHING_STUB(name)                \
  asm(".text\n.p2align 4\n"                \
      ".weak " #name                       \
      "\n"                                 \
      ".type " #name ", @function\n" #name \
      ":\n"                                \
      "  .cfi_startproc\n"                 \
      "  pushq %rdi\n"                     \
      "  pushq %rsi\n"                     \
      "  pushq %rdx\n"                     \
      "  pushq %rcx\n"                     \
      "  pushq %r8\n"                      \
      "  pushq %r9\n"                      \
      "  pushq %rax\n"                     \
      "  .cfi_adjust_cfa_offset 56\n"      \
      "  movq %rdx, %rcx\n"                \
      "  movq %rsi, %rdx\n"                \
      "  movq %rdi, %rsi\n"                \
      "  movl heddle_call_" #name          \
      "(%rip), %edi\n"                     \
      "  movq 56(%rsp), %r8\n"             \
      "  callq heddle_touching_call\n"     \
      "  movq %rax, %r11\n"                \
      "  popq %rax\n"                      \
      "  popq %r9\n"                       \
      "  popq %r8\n"                       \
      "  popq %rcx\n"                      \
      "  popq %rdx\n"                      \
      "  popq %rsi\n"                      \
      "  popq %rdi\n"                      \
      "  .cfi_adjust_cfa_offset -56\n"     \
      "  jmpq *%r11\n"                     \
      "  .cfi_endproc\n"                   \
      ".size " #name ", .-" #name "\n");

#define TOUCHING_CALL(name, ...)                                                                      \
  extern "C" __attribute__((used, visibility("hidden"))) const int heddle_call_##name = kCall_##name; \
  TOUCHING_STUB(name)
TOUCHING_CALLS(TOUCHING_CALL)
CHANGING_CALLS(TOUCHING_CALL)
