// exit() runs the handlers of libc's own list (rewound like everything else). Ours was registered before all
// others, so it runs after them, and there the execution ends: the process itself goes on.
#include "native/runtime/process_end.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <exception>
#include <typeinfo>

#include "native/runtime/failure.h"
#include "native/runtime/raw.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"

using namespace heddle;
using namespace heddle::native;
using trace::FailureKind;

namespace heddle::native {
namespace {

const void* exit_pc = nullptr;

template <class F>
F* next_definition(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

// The process ends here: a visible operation, unless no other thread can notice.
[[noreturn]] void terminate_execution(int code, const void* pc) {
  rt.exit_code = code;
  rt.exited = true;
  bool others = false;
  for (std::size_t t = 0; t < rt.threads; ++t) {
    const Thread& thread = rt.thread[t];
    if (t != rt.current.index() && thread.status != ThreadStatus::kAbsent && !thread.joined) others = true;
  }
  if (others) {
    VisibleOperation op(OpKind::kTerminate, kNoObject, where_of(pc));
    op.await();
    op.performed();
  }
  rt.in_engine = true;
  if (code != 0)
    record_failure(FailureKind::kExitCode, where_of(pc), "the program exits with code " + std::to_string(code));
  rt.self().status = ThreadStatus::kEnded;
  rt.conductor.retire(rt.current);
  end_execution(Ending::kTerminated);
}

void last_handler(void*) {
  if (!rt.active) return;
  fflush(nullptr);
  terminate_execution(rt.exit_code, exit_pc);
}

// std::terminate: an exception nobody catches, or a rule of the library broken (a joinable thread destroyed).
[[noreturn]] void on_terminate() {
  const void* pc = __builtin_return_address(0);
  if (std::type_info* type = abi::__cxa_current_exception_type()) {
    rt.in_engine = true;
    int status = 0;
    char* name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
    fail_thread(FailureKind::kUncaughtException, pc,
                std::string("uncaught exception of type ") + (status == 0 ? name : type->name()));
  }
  rt.in_engine = true;
  fail_thread(FailureKind::kAbort, pc, "std::terminate() was called without an exception");
}

}  // namespace

void take_over_terminate() { std::set_terminate(on_terminate); }

void take_over_exit() {
  next_definition<int(void (*)(void*), void*, void*)>("__cxa_atexit")(last_handler, nullptr, nullptr);
}

void exit_program(int code, const void* pc) {
  rt.exit_code = code;
  if (!rt.active) next_definition<void(int)>("exit")(code);
  exit_pc = pc;
  run_thread_local_destructors();
  static const auto real_exit = next_definition<void(int)>("exit");
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

}  // namespace heddle::native

#define PC __builtin_return_address(0)

extern "C" {

void exit(int code) {
  exit_program(code & 0xff, PC);
}

void _exit(int code) {
  if (!rt.active) raw::exit(code);
  terminate_execution(code & 0xff, PC);
}
void _Exit(int code) noexcept {
  if (!rt.active) raw::exit(code);
  terminate_execution(code & 0xff, PC);
}
void quick_exit(int code) noexcept {
  if (!rt.active) raw::exit(code);
  terminate_execution(code & 0xff, PC);
}

void abort() noexcept {
  fail_thread(FailureKind::kAbort, PC, "abort() was called");
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
  fail_thread(FailureKind::kAssertion, PC, std::move(message));
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
