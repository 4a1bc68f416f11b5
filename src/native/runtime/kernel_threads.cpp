#include "native/runtime/kernel_threads.h"

#include <dlfcn.h>
#include <linux/futex.h>
#include <linux/prctl.h>
#include <sched.h>

#include <atomic>

#include "native/runtime/debugging.h"
#include "native/runtime/raw.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/signals.h"

// Starts a kernel thread that goes on where `stack` was saved, as heddle_switch_stack would.
asm(R"(
.text
.p2align 4
.globl heddle_clone
.hidden heddle_clone
.type heddle_clone, @function
heddle_clone:
  .cfi_startproc
  movq %r8, %r10
  movq %rcx, %r8
  movl $56, %eax
  syscall
  testq %rax, %rax
  jz 1f
  ret
1:
  .cfi_undefined %rip
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  addq $8, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rax
  jmpq *%rax
  .cfi_endproc
.size heddle_clone, .-heddle_clone
)");

constinit int heddle_kernel_ids[heddle::kMaxThreads] = {};
extern "C" long heddle_clone(unsigned long flags, void* stack, int* id, std::uintptr_t tls, int* own_id);

namespace heddle::runtime {
namespace {

struct KernelThread {
  std::atomic<std::uint32_t> turn{0};
  bool started = false;
};
constinit KernelThread kernel_thread[kMaxThreads];
constinit std::atomic<std::uint32_t> explorers_turn{0};

void give(std::atomic<std::uint32_t>& turn) {
  turn.store(1);
  raw::syscall(SYS_futex, reinterpret_cast<long>(&turn), FUTEX_WAKE_PRIVATE, 1);
}

void await(std::atomic<std::uint32_t>& turn) {
  while (turn.load() == 0) raw::syscall(SYS_futex, reinterpret_cast<long>(&turn), FUTEX_WAIT_PRIVATE, 0);
  turn.store(0);
}

[[noreturn]] void wait_for_ever() {
  std::atomic<std::uint32_t> never{0};
  for (;;) await(never);
}

// Where glibc keeps a thread's id in its descriptor: debuggers look for it there.
int* id_in_descriptor(const Thread& thread) {
  struct Field {
    std::uint32_t bits, count, offset;
  };
  static const auto field = static_cast<const Field*>(dlsym(RTLD_DEFAULT, "_thread_db_pthread_tid"));
  if (!field)
    raw::die("this C library does not say where it keeps thread ids; heddle needs glibc for --backend=threads");
  return reinterpret_cast<int*>(thread.tls.base() + field->offset);
}

// "main", the name it was given, or "T2" as in reports.
void name_kernel_thread(ThreadId t) {
  char name[16] = "main";
  if (t.index() != 0) {
    const std::string text = spawn_place(t).name[0] ? spawn_place(t).name : "T" + std::to_string(t.index());
    name[text.copy(name, sizeof name - 1)] = 0;
  }
  raw::syscall(SYS_prctl, PR_SET_NAME, reinterpret_cast<long>(name));
}

// First on every kernel thread's stack; it runs only when it is its turn.
void kernel_thread_entry(void* argument) {
  auto& self = *static_cast<Thread*>(argument);
  use_signal_stack();
  name_kernel_thread(rt.current);
  self.entry(&self);
}

void start(ThreadId t) {
  constexpr unsigned long kFlags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
                                   CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_SETTID;
  Thread& thread = rt.thread[t.index()];
  KernelThread& kernel = kernel_thread[t.index()];
  kernel.started = true;
  void* const stack = prepare_stack(thread.stack, kernel_thread_entry, &thread);
  const long id =
      heddle_clone(kFlags, stack, &heddle_kernel_ids[t.index()], thread.tls.base(), id_in_descriptor(thread));
  if (id < 0) raw::die("cannot start a kernel thread; raise the limit on processes (ulimit -u)");
}

void let_run(ThreadId next) {
  rt.current = next;
  KernelThread& kernel = kernel_thread[next.index()];
  if (kernel.started)
    give(kernel.turn);
  else
    start(next);
}

}  // namespace

void run_kernel_threads() {
  let_run(ThreadId(0));
  await(explorers_turn);
}

void hand_over(ThreadId current, ThreadId next) {
  let_run(next);
  await(kernel_thread[current.index()].turn);
}

void hand_over_for_good(ThreadId next) {
  let_run(next);
  wait_for_ever();
}

void hand_over_to_explorer() {
  give(explorers_turn);
  wait_for_ever();
}

void forget_kernel_thread(ThreadId t) { kernel_thread[t.index()].started = false; }

bool passed_on_to_running_thread(int signal) {
  const long self = raw::syscall(SYS_gettid);
  const int running = heddle_kernel_ids[rt.current.index()];
  if (self == running || running == 0) return false;
  raw::syscall(SYS_tgkill, raw::syscall(SYS_getpid), running, signal);
  return true;
}

}  // namespace heddle::runtime
