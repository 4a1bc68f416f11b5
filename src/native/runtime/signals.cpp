// One handler on a stack of its own. A write fault in the world opens the page and returns. Anything else is the
// program's crash: the thread is abandoned where it is, and scheduling goes on from here; the signal stack is
// free again as soon as another stack is switched to, since the handler is entered with SA_NODEFER.
//
// The runtime works for the program on the program's own stack and with addresses that the program gives it: what it
// finds there may be no memory at all, or written over. So a fault of the runtime's in the middle of an execution is
// the program's crash as well. Only a second one of the same thread, which does not run any more, must be our own.
#include "native/runtime/signals.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>

#include <limits>

#include "native/runtime/engine_memory.h"
#include "native/runtime/failure.h"
#include "native/runtime/isolation.h"
#include "native/runtime/kernel_threads.h"
#include "native/runtime/program_signals.h"
#include "native/runtime/raw.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"
#include "native/runtime/unmodelled.h"
#include "native/runtime/world.h"

namespace heddle::runtime {
namespace {

constexpr std::size_t kSignalStackBytes = 256 * 1024;

std::string hexadecimal(std::uintptr_t value) {
  std::string text;
  do {
    text.insert(text.begin(), "0123456789abcdef"[value & 15]);
    value >>= 4;
  } while (value);
  return "0x" + text;
}

std::string describe(int signal, std::uintptr_t address) {
  switch (signal) {
    case SIGSEGV: {
      const Stack& stack = rt.self().stack;
      if (address - (stack.low - kGuardBytes) < kGuardBytes) return "stack overflow";
      return "segmentation fault at address " + hexadecimal(address);
    }
    case SIGBUS:
      return "bus error at address " + hexadecimal(address);
    case SIGILL:
      return "illegal instruction";
    case SIGTRAP:
      return "trap";
    case SIGFPE:
      return "arithmetic exception";
    case SIGSYS:
      return "bad system call";
    case SIGABRT:
      return "the C library gave up on the program";
    default:
      return "signal " + std::to_string(signal);
  }
}

// Of the runtime's, for this thread in this execution.
bool is_first_fault() {
  static std::uint64_t execution = 0;
  static ThreadId thread = kNoThread;
  if (execution == rt.executions && thread == rt.current) return false;
  execution = rt.executions;
  thread = rt.current;
  return true;
}

void on_signal(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (signal == SIGSEGV && info->si_code == SEGV_ACCERR && world.open_page(address)) return;
  const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const auto pc = reinterpret_cast<const void*>(registers[REG_RIP]);
  // The runtime works on the program's stack: the last bit of it may run out there.
  const bool overflow = rt.active && address - (rt.self().stack.low - kGuardBytes) < kGuardBytes;
  leave_broken_stack();
  if (!overflow && (rt.in_engine || !rt.active)) {
    const auto sp = static_cast<std::uintptr_t>(registers[REG_RSP]);
    if (rt.active && rt.self().stack.contains(sp) && is_first_fault()) {
      protocol::FailureDetail detail;
      detail.address = address;
      fail_thread(trace::FailureKind::kCrash, rt.pc,
                  describe(signal, address) +
                      " in a function of the runtime that the program called: a bad address, or "
                      "memory that it has written over",
                  detail);
    }
    const bool ours = rt.in_engine;
    rt.in_engine = true;
    const std::string text = describe(signal, address) + " at pc " + hexadecimal(reinterpret_cast<std::uintptr_t>(pc));
    if (ours) raw::internal_error(text.c_str());
    raw::print("heddle: the program crashed before main: ");
    raw::print((text + "\n").c_str());
    raw::exit(128 + signal);
  }
  if (!overflow && hand_fault_to_program(signal, *info, *static_cast<ucontext_t*>(context))) return;
  protocol::FailureDetail detail;
  detail.address = address;
  rt.in_engine = true;
  const bool division = signal == SIGFPE && info->si_code == FPE_INTDIV;
  fail_thread(division ? trace::FailureKind::kDivisionByZero : trace::FailureKind::kCrash, pc,
              division ? "division by zero, or of the smallest number by -1" : describe(signal, address), detail);
}

double watched_seconds = 0;

// Where an execution stands, to see whether it moves.
struct Standing {
  std::uint64_t execution = 0;
  EventIndex position = 0;
  ThreadId thread = kNoThread;
  bool operator==(const Standing&) const = default;
};
Standing standing() { return {rt.executions, rt.conductor.position(), rt.current}; }

// A thread that computes for ever between two visible operations: the clock of used processor time ticks, and nothing
// moves. A thread that has been found to do so after so many operations of its own is given less time there: the
// finding is run again several times, to be explained.
constexpr int kTicksInAll = 50;
constexpr int kTicksOfTheSame = 10;

void on_tick(int signal, siginfo_t*, void* context) {
  if (rt.kernel_threads && rt.active && passed_on_to_running_thread(signal)) return;
  static Standing last;
  static int ticks = 0;
  static ThreadId endless_thread = kNoThread;
  static std::uint64_t endless_steps = 0;
  if (!rt.active || rt.in_engine) return;
  const Standing now = standing();
  ticks = now == last ? ticks + 1 : 0;
  last = now;
  if (ticks > 0) suspect_plain_loop();
  const bool known = rt.current == endless_thread && rt.self().steps == endless_steps;
  if (ticks < (known ? kTicksOfTheSame : kTicksInAll)) return;
  ticks = 0;
  endless_thread = rt.current;
  endless_steps = rt.self().steps;
  const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  rt.in_engine = true;
  fail_thread(trace::FailureKind::kLivelock, reinterpret_cast<const void*>(registers[REG_RIP]),
              "a thread computes without end between two visible operations");
}

// A thread that sleeps in the kernel until another one does something would sleep for ever, and everybody with it: time
// passes, nothing moves, and no processor time is used. It is stopped there, the others go on, and the result says so.
// (Pipes and pairs of sockets of the program's own are known, and who reads there waits in the scheduler's hands:
// io_order.h.)
constexpr int kWaitingSignal = 62;
constexpr int kMostQuietSeconds = 5;
constexpr int kMostStopped = 10;  // before the search is given up
int stopped_in_kernel = 0;

void on_quiet_second(int, siginfo_t*, void*) {
  if (rt.kernel_threads && rt.active && passed_on_to_running_thread(kWaitingSignal)) return;
  static Standing last;
  static int quiet = 0;
  static long used_before = 0;
  timespec used{};
  raw::syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, reinterpret_cast<long>(&used));
  const long microseconds = used.tv_sec * 1'000'000 + used.tv_nsec / 1000;
  const Standing now = standing();
  constexpr long kIdle = 2000;
  const bool idle = rt.active && !rt.in_engine && !rt.debugged && now == last && microseconds - used_before < kIdle;
  quiet = idle ? quiet + 1 : 0;
  used_before = microseconds;
  last = now;
  if (quiet < (stopped_in_kernel == 0 ? kMostQuietSeconds : 1)) return;
  quiet = 0;
  count_wait_in_kernel();
  note_unmodelled(
      rt.pc,
      "a thread waits in a system call (poll, accept, connect, ...) for what no other thread can do meanwhile: "
      "heddle runs one thread at a time; let the threads under test talk through memory or pipes of their own");
  rt.in_engine = true;
  stop_thread(Stopped::kCut);
}

constexpr int kDeadlineSignal = 63;
constexpr long kLookAgainNanoseconds = 20'000'000;
timespec deadline{};  // no seconds: none
int deadline_timer = 0;

// The time of the whole exploration is over. An execution in the engine's hands ends at its next decision, one that
// computes right now; in case it computes as soon as it gets out of the engine's hands, we look again.
void on_deadline(int, siginfo_t*, void*) {
  rt.out_of_time = true;
  if (rt.active && !rt.in_engine) end_execution(Ending::kOutOfTime);
}

void watch_waiting() {
  struct sigaction action{};
  action.sa_sigaction = on_quiet_second;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
  sigaction(kWaitingSignal, &action, nullptr);
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = kWaitingSignal;
  int timer = 0;
  if (raw::syscall(SYS_timer_create, CLOCK_MONOTONIC, reinterpret_cast<long>(&event), reinterpret_cast<long>(&timer)))
    return;  // then such a program is not told, and runs until it is stopped
  const itimerspec every_second{{1, 0}, {1, 0}};
  raw::syscall(SYS_timer_settime, timer, 0, reinterpret_cast<long>(&every_second), 0);
}

}  // namespace

void count_wait_in_kernel() {
  if (++stopped_in_kernel == kMostStopped) rt.asked_to_stop = true;
  note_lesson({.waited = true});
}

std::int64_t milliseconds_left() {
  if (deadline.tv_sec == 0) return std::numeric_limits<std::int64_t>::max();
  timespec now{};
  raw::syscall(SYS_clock_gettime, CLOCK_MONOTONIC, reinterpret_cast<long>(&now));
  const std::int64_t left = (deadline.tv_sec - now.tv_sec) * 1000 + (deadline.tv_nsec - now.tv_nsec) / 1'000'000;
  return left < 1 ? 1 : left;
}

void watch_deadline(double seconds_left) {
  forget_deadline();
  if (seconds_left < 0) seconds_left = 0;
  raw::syscall(SYS_clock_gettime, CLOCK_MONOTONIC, reinterpret_cast<long>(&deadline));
  const auto whole = static_cast<time_t>(seconds_left);
  deadline.tv_sec += whole;
  deadline.tv_nsec += static_cast<long>((seconds_left - static_cast<double>(whole)) * 1e9);
  if (deadline.tv_nsec >= 1'000'000'000) {
    deadline.tv_nsec -= 1'000'000'000;
    ++deadline.tv_sec;
  }
  struct sigaction action{};
  action.sa_sigaction = on_deadline;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
  sigaction(kDeadlineSignal, &action, nullptr);
  watch_deadline_in_child();
}

// Timers are not inherited.
void watch_deadline_in_child() {
  if (deadline.tv_sec == 0) return;
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = kDeadlineSignal;
  int timer = 0;
  if (raw::syscall(SYS_timer_create, CLOCK_MONOTONIC, reinterpret_cast<long>(&event), reinterpret_cast<long>(&timer)))
    return;  // the explorer still looks at the clock between executions
  const itimerspec when{{0, kLookAgainNanoseconds}, deadline};
  raw::syscall(SYS_timer_settime, timer, TIMER_ABSTIME, reinterpret_cast<long>(&when), 0);
  deadline_timer = timer;
}

void heed_requests_to_stop(bool heed) {
  struct sigaction action{};
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  action.sa_handler = heed ? [](int) { rt.asked_to_stop = true; } : SIG_DFL;
  sigaction(SIGTERM, &action, nullptr);
}

void forget_deadline() {
  if (deadline.tv_sec == 0) return;
  deadline = {};
  raw::syscall(SYS_timer_delete, deadline_timer);
  rt.out_of_time = false;
}

void watch_local_loops(double seconds) {
  if (seconds <= 0) return;
  watched_seconds = seconds;
  struct sigaction action{};
  action.sa_sigaction = on_tick;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
  sigaction(SIGVTALRM, &action, nullptr);
  const double tick = seconds / kTicksInAll;
  itimerval timer{};
  timer.it_interval.tv_sec = static_cast<time_t>(tick);
  timer.it_interval.tv_usec = static_cast<suseconds_t>((tick - static_cast<double>(timer.it_interval.tv_sec)) * 1e6);
  timer.it_value = timer.it_interval;
  setitimer(ITIMER_VIRTUAL, &timer, nullptr);
  if (!rt.debugged) watch_waiting();  // a debugger would stop at its signals, and holds threads for as long as it likes
}

void watch_local_loops_in_child() { watch_local_loops(watched_seconds); }

void use_signal_stack() {
  stack_t stack{};
  stack.ss_sp = reserve_pages(kSignalStackBytes);
  stack.ss_size = kSignalStackBytes;
  raw::syscall(SYS_sigaltstack, reinterpret_cast<long>(&stack));
}

void install_signal_handlers() {
  use_signal_stack();
  struct sigaction action{};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGSYS, SIGABRT}) sigaction(signal, &action, nullptr);
}

}  // namespace heddle::runtime
