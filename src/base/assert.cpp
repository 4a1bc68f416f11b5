#include "base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace heddle {
namespace {
FailureHook failure_hook = nullptr;
}  // namespace

void set_failure_hook(FailureHook hook) { failure_hook = hook; }

void assertion_failed(const char* kind, const char* condition, const char* file, int line) {
  std::fprintf(stderr, "heddle: internal error: %s(%s) failed at %s:%d\n", kind, condition, file, line);
  if (FailureHook hook = failure_hook) {
    failure_hook = nullptr;  // a hook that fails itself must not recurse
    hook();
  }
  std::abort();
}

}  // namespace heddle
