// exit() and quick_exit() run the handlers of libc's own lists (rewound like everything else). Ours were registered
// before all others, so they run after them, and there the execution ends: the process itself goes on.
#include "native/runtime/process_end.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <exception>
#include <typeinfo>

#include "native/runtime/failure.h"
#include "native/runtime/parts.h"
#include "native/runtime/raw.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"
#include "native/runtime/unseen_libraries.h"

using namespace heddle;
using namespace heddle::runtime;
using trace::FailureKind;

extern "C" {
extern void* __dso_handle __attribute__((visibility("hidden")));  // the executable's: libraries have their own
}

namespace heddle::runtime {
namespace {

// The exit() under way: the first one. Whoever else calls it meanwhile ends the process without running the handlers
// again, if it comes before the first one has done so.
struct {
  const void* pc = nullptr;
  int code = 0;
  bool begun = false;
} exiting;

// Running libc's exit costs more than a small execution. When there is nothing in it for the program - no handlers,
// no destructors, nobody who sees the output - it is skipped.
std::size_t handlers = 0;  // registered in this execution or before main, besides ours
std::size_t start_handlers = 0;

int count_destructors(dl_phdr_info* info, std::size_t, void* result) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    auto entry = reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry)
      if (entry->d_tag == DT_FINI_ARRAYSZ) *static_cast<std::size_t*>(result) = entry->d_un.d_val / sizeof(void*);
  }
  return 1;  // the executable comes first, and only it counts
}

std::size_t destructors = 0;

bool exit_has_work() {
  // One destructor is the compiler's own.
  return handlers > 0 || destructors > 1 || rt.output_shown;
}

// Looked up once: a look-up during an execution would write to the dynamic linker's pages.
void (*real_exit)(int) = nullptr;
void (*real_quick_exit)(int) = nullptr;
int (*real_cxa_atexit)(void (*)(void*), void*, void*) = nullptr;

template <class F>
F* next_definition(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

// Compilers hand over the address of the handle, atexit() what is in it: nothing, where code is not relocated.
bool is_of_the_program(const void* dso) { return dso == &__dso_handle || dso == __dso_handle; }

// Every file that includes <iostream> has an object whose destructor flushes the standard streams: of no interest
// unless the output is shown.
bool only_flushes(void (*destructor)(void*)) {
  static void* const flush = dlsym(RTLD_DEFAULT, "_ZNSt8ios_base4InitD1Ev");
  return flush != nullptr && reinterpret_cast<void*>(destructor) == flush;
}

// Threads that could have been waited for - neither joined nor detached - and are in the middle of something.
void report_lost_work(const void* pc) {
  for (std::size_t t = 0; t < rt.threads; ++t) {
    const Thread& thread = rt.thread[t];
    const ThreadId id(static_cast<std::uint16_t>(t));
    if (id == rt.current || thread.status != ThreadStatus::kPending || thread.detached || thread.joined) continue;
    const Step& next = rt.conductor.pending(id);
    if (!trace::gives_to_others(next.op.kind)) continue;
    // What a library's thread does inside the library is the library's affair.
    if (is_unseen_code(reinterpret_cast<const void*>(first_address(next.where)))) continue;
    protocol::FailureDetail detail;
    detail.other_thread = id;
    detail.other_where = next.where;
    record_failure(FailureKind::kExitWithThreads, where_of(pc),
                   "the process ends while a thread that nobody joins still has work to do", detail);
    return;
  }
}

enum class Manner { kOrderly, kAtOnce };  // exit() or the end of main; _exit() and its like, which mean it

// The process ends here: a visible operation, unless no other thread can notice.
[[noreturn]] void terminate_execution(int code, const void* pc, Manner manner) {
  bool others = false;
  for (std::size_t t = 0; t < rt.threads; ++t) {
    const Thread& thread = rt.thread[t];
    if (t != rt.current.index() && thread.status != ThreadStatus::kAbsent && !thread.joined) others = true;
  }
  if (others) {
    VisibleOperation op(OpKind::kTerminate, kNoObject, pc ? where_of(pc) : 0);
    op.await();
    if (code == 0 && manner == Manner::kOrderly) op.op().after = trace::kLosesWork;
    op.performed();
  }
  rt.in_engine = true;
  rt.exit_code = code;
  rt.exited = true;
  if (code != 0)
    record_failure(FailureKind::kExitCode, pc ? where_of(pc) : 0,
                   "the program exits with code " + std::to_string(code));
  else if (manner == Manner::kOrderly)
    report_lost_work(pc);
  mark_ended();
  rt.conductor.retire(rt.current);
  end_execution(Ending::kTerminated);
}

void last_handler(void*) {
  if (!rt.active) return;
  fflush(nullptr);
  terminate_execution(exiting.code, exiting.pc, Manner::kOrderly);
}

void last_quick_handler(void*) {
  if (rt.active) terminate_execution(exiting.code, exiting.pc, Manner::kAtOnce);
}

// ": what" of an exception that is one of the library's, or derived from it. It is the program's code that says so.
std::string words_of_exception(const std::type_info* type) {
  constexpr std::size_t kMost = 200;
  const std::exception_ptr current = std::current_exception();
  void* object = nullptr;  // an exception_ptr is a pointer to it, and nothing else
  static_assert(sizeof current == sizeof object);
  memcpy(&object, &current, sizeof object);
  if (object == nullptr || !typeid(std::exception).__do_catch(type, &object, 1)) return {};
  const char* const words = static_cast<const std::exception*>(object)->what();
  if (words == nullptr || *words == 0) return {};
  EngineScope scope;
  return ": " + std::string(words, strnlen(words, kMost));
}

// std::terminate: an exception nobody catches, or a rule of the library broken (a joinable thread destroyed).
[[noreturn]] void on_terminate() {
  const void* pc = __builtin_return_address(0);
  if (std::type_info* type = abi::__cxa_current_exception_type()) {
    const std::string words = words_of_exception(type);
    rt.in_engine = true;
    int status = 0;
    char* name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
    fail_thread(FailureKind::kUncaughtException, pc,
                std::string("uncaught exception of type ") + (status == 0 ? name : type->name()) + words);
  }
  rt.in_engine = true;
  fail_thread(FailureKind::kAbort, pc, "std::terminate() was called without an exception");
}

}  // namespace

void take_over_terminate() { std::set_terminate(on_terminate); }

constinit const Part exit_part = described({
    .keep_as_start = [] { start_handlers = handlers; },
    .begin =
        [] {
          handlers = start_handlers;
          exiting = {};
        },
    .memory = {{&handlers, sizeof handlers}, {&exiting, sizeof exiting}},
});

void take_over_exit() {
  real_exit = next_definition<void(int)>("exit");
  real_cxa_atexit = next_definition<int(void (*)(void*), void*, void*)>("__cxa_atexit");
  real_quick_exit = next_definition<void(int)>("quick_exit");
  const auto at_quick_exit = next_definition<int(void (*)(void*), void*)>("__cxa_at_quick_exit");
  dl_iterate_phdr(count_destructors, &destructors);
  at_quick_exit(last_quick_handler, nullptr);
  real_cxa_atexit(last_handler, nullptr, nullptr);
}

void exit_program(int code, const void* pc) {
  if (!rt.active) real_exit(code);
  run_thread_local_destructors();
  if (!exit_has_work() || exiting.begun) terminate_execution(code, pc, Manner::kOrderly);
  exiting = {pc, code, true};
  real_exit(code);
  __builtin_unreachable();
}

void run_thread_local_destructors() {
  Thread& self = rt.self();
  while (Thread::Destructor* d = self.destructors) {
    self.destructors = d->next;
    d->function(d->object);
    free(d);
  }
}

}  // namespace heddle::runtime

#define PC __builtin_return_address(0)

extern "C" {

// Renamed to __cxa_atexit when the library is built: the engine's own globals do not use it.
int heddle_cxa_atexit(void (*function)(void*), void* argument, void* dso) {
  if (!real_cxa_atexit) real_cxa_atexit = next_definition<int(void (*)(void*), void*, void*)>("__cxa_atexit");
  if (!rt.in_engine && is_of_the_program(dso) && !only_flushes(function)) ++handlers;
  return real_cxa_atexit(function, argument, dso);
}

void exit(int code) { exit_program(code & 0xff, PC); }

void _exit(int code) {
  if (!rt.active) raw::exit(code);
  terminate_execution(code & 0xff, PC, Manner::kAtOnce);
}
void _Exit(int code) noexcept {
  if (!rt.active) raw::exit(code);
  terminate_execution(code & 0xff, PC, Manner::kAtOnce);
}
void quick_exit(int code) noexcept {
  if (!rt.active) real_quick_exit(code);
  if (exiting.begun) terminate_execution(code & 0xff, PC, Manner::kAtOnce);
  exiting = {PC, code & 0xff, true};
  real_quick_exit(code);
  __builtin_unreachable();
}

void abort() noexcept {
  if (rt.in_engine) raw::internal_error("an assertion of the runtime failed");  // it has said which one (base/assert.h)
  fail_thread(FailureKind::kAbort, PC, "abort() was called");
}

// The compiler looks, in functions with arrays, whether what lies beyond them is what it was (-fstack-protector).
void __stack_chk_fail() {
  fail_thread(FailureKind::kCrash, PC, "a function has written beyond its local variables: its stack is overwritten");
}

void __assert_fail(const char* assertion, const char* file, unsigned line, const char* function) noexcept {
  rt.in_engine = true;
  if (!rt.active) {
    raw::print(assertion);
    raw::print(": assertion failed\n");
    raw::exit(134);
  }
  std::string message = std::string("assertion ") + assertion + " failed";
  static_cast<void>(file), static_cast<void>(line), static_cast<void>(function);
  fail_thread(FailureKind::kAssertion, PC, std::move(message), detail_of_assertion());
}

int __cxa_thread_atexit(void (*function)(void*), void* object, void*) noexcept {
  auto d = static_cast<Thread::Destructor*>(malloc(sizeof(Thread::Destructor)));
  Thread& self = rt.self();
  *d = {function, object, self.destructors};
  self.destructors = d;
  return 0;
}
int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void* dso) noexcept {
  return __cxa_thread_atexit(function, object, dso);
}
}
