#include "native/runtime/program_signals.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "native/runtime/failure.h"
#include "native/runtime/kernel_state.h"
#include "native/runtime/parts.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/raw.h"
#include "native/runtime/requests.h"
#include "native/runtime/runtime.h"
#include "native/runtime/spinning.h"
#include "native/runtime/threads.h"

namespace heddle::runtime {
namespace {

constexpr int kSignals = 64;

using SignalSet = std::uint64_t;  // bit 0: signal 1
constexpr SignalSet only(int signal) { return SignalSet{1} << (signal - 1); }

// A thread's own part of it.
struct ThreadSignals {
  static constexpr std::size_t kDeepest = 8;
  SignalSet blocked = 0;
  SignalSet pending = 0;
  stack_t stack = {nullptr, SS_DISABLE, 0};  // as the program was told
  // Handlers that run, outermost first: where on the stack, and what was blocked before.
  struct Running {
    std::uintptr_t frame;
    SignalSet blocked;
  };
  Running running[kDeepest] = {};
  std::size_t depth = 0;
};

struct Signals {
  struct sigaction action[kSignals + 1] = {};
  itimerval timer[3] = {};  // time is virtual: they are remembered, and never run out
};
constinit Signals signals;
constinit Signals start_signals;
constinit bool changed = false;  // since the start
constinit ThreadSignals of_thread[kMaxThreads];
constinit ThreadSignals start_of_main;  // as global constructors left it

ThreadSignals& own() { return of_thread[rt.current.index()]; }

bool is_signal(int signal) { return signal >= 1 && signal <= kSignals; }

SignalSet as_set(const sigset_t* set) {
  SignalSet result = 0;
  memcpy(&result, set, sizeof result);
  return result & ~(only(SIGKILL) | only(SIGSTOP));
}
void write_set(sigset_t* to, SignalSet set) {
  memset(to, 0, sizeof *to);
  memcpy(to, &set, sizeof set);
}

// The kernel keeps nothing of it, but neither do checkpoints and known steps.
void note_use() {
  if (controlled()) touches_kernel_state();
  changed = true;
}

// Handlers that were left by a jump: what they blocked in addition is blocked no more.
void forget_left_handlers(std::uintptr_t here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0))) {
  ThreadSignals& own = runtime::own();
  while (own.depth > 0 && own.running[own.depth - 1].frame < here) own.blocked = own.running[--own.depth].blocked;
}

using Handler = void (*)(int);
using LongHandler = void (*)(int, siginfo_t*, void*);

void run_handler(int signal, siginfo_t* info, void* context) {
  ThreadSignals& own = runtime::own();
  struct sigaction& action = signals.action[signal];
  const auto handler = action.sa_handler;
  const auto long_handler = action.sa_sigaction;
  const int flags = action.sa_flags;
  if (own.depth == ThreadSignals::kDeepest)
    raw::die("more than eight handlers of signals run inside each other in one thread");
  own.running[own.depth++] = {reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)), own.blocked};
  own.blocked |= as_set(&action.sa_mask) | (flags & SA_NODEFER ? 0 : only(signal));
  if (flags & SA_RESETHAND) action.sa_handler = SIG_DFL;
  if (flags & SA_SIGINFO)
    long_handler(signal, info, context);
  else
    handler(signal);
  own.blocked = own.running[--own.depth].blocked;
}

bool is_handled(int signal) {
  return signals.action[signal].sa_handler != SIG_DFL && signals.action[signal].sa_handler != SIG_IGN;
}

bool ignored_by_default(int signal) {
  return signal == SIGCHLD || signal == SIGCONT || signal == SIGURG || signal == SIGWINCH;
}

std::string name_of(int signal) {
  const char* name = sigabbrev_np(signal);
  return name ? "SIG" + std::string(name) : "signal " + std::to_string(signal);
}

// The current thread receives a signal that it does not block.
void receive(int signal, const void* pc) {
  if (is_handled(signal)) {
    siginfo_t info{};
    info.si_signo = signal;
    info.si_code = SI_TKILL;
    info.si_pid = getpid();
    ucontext_t context{};
    return run_handler(signal, &info, &context);
  }
  if (signals.action[signal].sa_handler == SIG_IGN || ignored_by_default(signal)) return;
  rt.in_engine = true;
  if (signal == SIGTSTP || signal == SIGSTOP || signal == SIGTTIN || signal == SIGTTOU)
    raw::die("the program stops itself by a signal, and nobody would let it go on; leave that out under heddle");
  if (signal == SIGABRT) fail_thread(trace::FailureKind::kAbort, pc, "the program is ended by SIGABRT");
  fail_thread(trace::FailureKind::kCrash, pc, "the program is ended by " + name_of(signal));
}

int with_errno(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

// Takes one of `wanted` that is pending; 0: none is.
int take_pending(SignalSet wanted) {
  ThreadSignals& own = runtime::own();
  const SignalSet found = own.pending & wanted;
  if (found == 0) return 0;
  const int signal = __builtin_ctzll(found) + 1;
  own.pending &= ~only(signal);
  return signal;
}

// Waits until one of `wanted` is pending, and takes it; -1: a handler of another one has run, and `ends`.
int wait_for_signal(SignalSet wanted, bool ends, const void* pc) {
  for (;;) {
    act_on_cancellation(pc);
    if (const int signal = take_pending(wanted)) return signal;
    if (receive_signals(pc) != Handled::kNothing && ends) return -1;
    await_request(pc, false);
  }
}

// What comes before such a wait is handled before it.
void begin_wait_for_signal(const void* pc) {
  note_use();
  forget_left_handlers();
  if (rt.asked != 0) look_before(OpKind::kSemWait, pc);
}

void fill_in(siginfo_t* info, int signal) {
  if (!info) return;
  *info = {};
  info->si_signo = signal;
  info->si_code = SI_TKILL;
  info->si_pid = getpid();
}

int send_to_self(int signal, const void* pc) {
  if (signal == 0) return 0;
  if (!is_signal(signal)) return EINVAL;
  note_use();
  forget_left_handlers();
  own().pending |= only(signal);
  receive_signals(pc);
  return 0;
}

int change_blocked(int how, const sigset_t* set, sigset_t* before, const void* pc) {
  note_use();
  forget_left_handlers();
  ThreadSignals& own = runtime::own();
  const SignalSet was = own.blocked;
  if (set) {
    switch (how) {
      case SIG_BLOCK:
        own.blocked |= as_set(set);
        break;
      case SIG_UNBLOCK:
        own.blocked &= ~as_set(set);
        break;
      case SIG_SETMASK:
        own.blocked = as_set(set);
        break;
      default:
        return EINVAL;
    }
  }
  if (before) write_set(before, was);
  receive_signals(pc);
  return 0;
}

bool is_set(const itimerval& timer) { return timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0; }

// The kernel makes this one itself, when a pipe has no reader: it must know.
void tell_kernel(int signal, const struct sigaction* action) {
  if (signal != SIGPIPE) return;
  static const auto set =
      reinterpret_cast<int (*)(int, const struct sigaction*, struct sigaction*)>(dlsym(RTLD_NEXT, "sigaction"));
  set(signal, action, nullptr);
}

int set_action(int signal, const struct sigaction* action, struct sigaction* before) {
  if (!is_signal(signal) || (action && (signal == SIGKILL || signal == SIGSTOP))) return EINVAL;
  note_use();
  const struct sigaction was = signals.action[signal];
  if (action) {
    tell_kernel(signal, action);
    note_hidden_change();
    signals.action[signal] = *action;
  }
  if (before) *before = was;
  return 0;
}

// Where a fault goes on, on the stack of its thread.
struct Fault {
  siginfo_t info;
  ucontext_t context;
  int signal;
};
[[noreturn]] void enter_handler(Fault* fault) {
  rt.in_engine = false;
  const auto pc = reinterpret_cast<const void*>(fault->context.uc_mcontext.gregs[REG_RIP]);
  run_handler(fault->signal, &fault->info, &fault->context);
  fail_thread(trace::FailureKind::kCrash, pc, name_of(fault->signal) + ", and the program's handler of it returns");
}

void keep_signals_as_start() {
  start_signals = signals;
  start_of_main = of_thread[0];
  changed = false;
}

void rewind_signals() {
  if (!changed) return;
  changed = false;
  for (std::size_t t = 0; t < rt.known_threads; ++t) of_thread[t] = {};
  of_thread[0] = start_of_main;
  tell_kernel(SIGPIPE, &start_signals.action[SIGPIPE]);
  signals = start_signals;
}

}  // namespace

constinit const Part signals_part = described({
    .keep_as_start = keep_signals_as_start,
    .begin = rewind_signals,
    .not_kept = "who uses signals uses what the kernel keeps",
});

void inherit_signals(ThreadId child) {
  if (!changed && start_of_main.blocked == 0) return;
  of_thread[child.index()] = {};
  of_thread[child.index()].blocked = own().blocked;
}

void add_pending_signal(int signal) {
  note_use();
  own().pending |= only(signal);
}

bool receives_signals() {
  forget_left_handlers();
  return (own().blocked | only(SIGKILL) | only(SIGSTOP)) != ~SignalSet{0};
}

Handled receive_signals(const void* pc) {
  forget_left_handlers();
  ThreadSignals& own = runtime::own();
  Handled handled = Handled::kNothing;
  while (const int signal = take_pending(~own.blocked)) {
    if (is_handled(signal) && handled != Handled::kInterrupting)
      handled = signals.action[signal].sa_flags & SA_RESTART ? Handled::kAllRestart : Handled::kInterrupting;
    receive(signal, pc);
  }
  return handled;
}

bool acts_on_signal(ThreadId t, int signal) {
  if ((of_thread[t.index()].blocked & only(signal)) != 0) return false;
  return is_handled(signal) || (signals.action[signal].sa_handler != SIG_IGN && !ignored_by_default(signal));
}

void note_access_in_handler(std::uintptr_t address, std::size_t size) {
  const ThreadSignals& own = runtime::own();
  if (own.depth == 0) return;
  const std::uintptr_t frame = own.running[own.depth - 1].frame;
  if (rt.self().stack.contains(address) && address < frame) return;  // its own locals
  make_polled_visible(address, size);
}

bool hand_fault_to_program(int signal, const siginfo_t& info, ucontext_t& context) {
  constexpr std::uintptr_t kRedZone = 128;
  auto& registers = context.uc_mcontext.gregs;
  const auto stack_pointer = static_cast<std::uintptr_t>(registers[REG_RSP]);
  forget_left_handlers(stack_pointer);
  const Stack& stack = rt.self().stack;
  if (!is_handled(signal) || (own().blocked & only(signal)) != 0) return false;
  if (!stack.contains(stack_pointer) || stack_pointer - stack.low < 64 * 1024) return false;
  const std::uintptr_t room = (stack_pointer - kRedZone - sizeof(Fault)) & ~std::uintptr_t{63};
  const auto fault = reinterpret_cast<Fault*>(room);
  fault->info = info;
  fault->context = context;
  fault->signal = signal;
  registers[REG_RSP] = static_cast<greg_t>(room - 8);  // as after a call
  registers[REG_RIP] = reinterpret_cast<greg_t>(&enter_handler);
  registers[REG_RDI] = static_cast<greg_t>(room);
  return true;
}

bool waits_for_timer() {
  constexpr int kSignalOf[] = {SIGALRM, SIGVTALRM, SIGPROF};
  for (int i = 0; i < 3; ++i)
    if (is_set(signals.timer[i]) && signals.action[kSignalOf[i]].sa_handler != SIG_IGN) return true;
  return false;
}

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

#define PC __builtin_return_address(0)
#define WEAK __attribute__((weak))  // a program may have a function of that name

namespace {
template <class F>
F* next(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}
}  // namespace

extern "C" {

// The engine's own calls go on to the kernel.
WEAK int sigaction(int signal, const struct sigaction* action, struct sigaction* before) noexcept {
  if (!rt.in_engine) return with_errno(set_action(signal, action, before));
  static const auto real = next<int(int, const struct sigaction*, struct sigaction*)>("sigaction");
  return real(signal, action, before);
}
WEAK int setitimer(__itimer_which_t which, const itimerval* value, itimerval* before) noexcept {
  if (rt.in_engine)
    return static_cast<int>(
        raw::syscall(SYS_setitimer, which, reinterpret_cast<long>(value), reinterpret_cast<long>(before)));
  if (which < ITIMER_REAL || which > ITIMER_PROF || !value) return with_errno(EINVAL);
  note_use();
  const itimerval was = signals.timer[which];
  signals.timer[which] = *value;
  if (before) *before = was;
  return 0;
}

WEAK int getitimer(__itimer_which_t which, itimerval* value) noexcept {
  if (which < ITIMER_REAL || which > ITIMER_PROF) return with_errno(EINVAL);
  *value = signals.timer[which];
  return 0;
}
WEAK unsigned alarm(unsigned seconds) noexcept {
  note_use();
  const itimerval was = signals.timer[ITIMER_REAL];
  signals.timer[ITIMER_REAL] = {{0, 0}, {static_cast<time_t>(seconds), 0}};
  return static_cast<unsigned>(was.it_value.tv_sec + (was.it_value.tv_usec != 0));
}
WEAK useconds_t ualarm(useconds_t value, useconds_t interval) noexcept {
  note_use();
  const itimerval was = signals.timer[ITIMER_REAL];
  signals.timer[ITIMER_REAL] = {{0, static_cast<suseconds_t>(interval)}, {0, static_cast<suseconds_t>(value)}};
  return static_cast<useconds_t>(was.it_value.tv_sec * 1000000 + was.it_value.tv_usec);
}

WEAK int timer_create(clockid_t, sigevent*, timer_t*) noexcept {
  raw::die("the program calls timer_create, whose timers heddle does not control; let a thread of the program sleep");
}

WEAK sighandler_t signal(int signal, sighandler_t handler) noexcept {
  struct sigaction action{}, before{};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  return with_errno(set_action(signal, &action, &before)) == 0 ? before.sa_handler : SIG_ERR;
}
WEAK sighandler_t bsd_signal(int number, sighandler_t handler) noexcept { return signal(number, handler); }
WEAK sighandler_t __sysv_signal(int signal, sighandler_t handler) noexcept {
  struct sigaction action{}, before{};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
  return with_errno(set_action(signal, &action, &before)) == 0 ? before.sa_handler : SIG_ERR;
}
WEAK sighandler_t sysv_signal(int number, sighandler_t handler) noexcept { return __sysv_signal(number, handler); }
WEAK int siginterrupt(int, int) noexcept { return 0; }

WEAK int sigprocmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  return with_errno(change_blocked(how, set, before, PC));
}
int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  return change_blocked(how, set, before, PC);
}
WEAK int sigpending(sigset_t* set) noexcept {
  if (controlled() && rt.asked != 0) look_for_requests(PC);
  write_set(set, own().pending);
  return 0;
}
WEAK int sigaltstack(const stack_t* stack, stack_t* before) noexcept {
  note_use();
  const stack_t was = own().stack;
  if (stack) own().stack = *stack;
  if (before) *before = was;
  return 0;
}

WEAK int raise(int signal) noexcept { return with_errno(send_to_self(signal, PC)); }
int pthread_kill(pthread_t handle, int signal) noexcept {
  if (thread_of(handle) == kNoThread) return ESRCH;
  if (handle == pthread_self()) return send_to_self(signal, PC);
  if (!is_signal(signal)) return signal == 0 ? 0 : EINVAL;
  note_use();
  ask(thread_of(handle), static_cast<std::uint8_t>(signal), PC);
  return 0;
}
int pthread_sigqueue(pthread_t, int, const sigval) noexcept {
  raw::die("the program calls pthread_sigqueue, which heddle does not control; use pthread_kill and a variable");
}

// POSIX lets any thread have a signal to the process that does not block it: the one that sends it, if it can.
WEAK int kill(pid_t process, int signal) noexcept {
  if (rt.active && (process == getpid() || process == 0)) {
    if (is_signal(signal) && rt.threads > 1 && (own().blocked & only(signal)) != 0)
      raw::die(
          "the program sends itself a signal that the thread blocks, so that any other thread may have it; heddle does "
          "not choose one: send it by pthread_kill");
    return with_errno(send_to_self(signal, PC));
  }
  return with_errno(static_cast<int>(-raw::syscall(SYS_kill, process, signal)));
}

WEAK int sigwait(const sigset_t* set, int* signal) {
  begin_wait_for_signal(PC);
  *signal = wait_for_signal(as_set(set), false, PC);
  return 0;
}
WEAK int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  begin_wait_for_signal(PC);
  const int signal = wait_for_signal(as_set(set), true, PC);
  if (signal < 0) return with_errno(EINTR);
  fill_in(info, signal);
  return signal;
}
// A try with another answer: to wait first is to try later.
WEAK int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec*) {
  note_use();
  cancellation_point(PC);
  leave_cancellation_point();
  look_for_requests(PC);
  const int signal = take_pending(as_set(set));
  if (signal == 0) return with_errno(receive_signals(PC) == Handled::kNothing ? EAGAIN : EINTR);
  fill_in(info, signal);
  return signal;
}
WEAK int pause() {
  begin_wait_for_signal(PC);
  wait_for_signal(0, true, PC);
  return with_errno(EINTR);
}
WEAK int sigsuspend(const sigset_t* set) {
  begin_wait_for_signal(PC);
  const SignalSet before = own().blocked;
  own().blocked = as_set(set);
  wait_for_signal(0, true, PC);
  own().blocked = before;
  return with_errno(EINTR);
}
}
