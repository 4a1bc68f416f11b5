// What a program may ask about its threads or set for them besides what they do. glibc would look into its descriptor
// of the thread, and a fiber's is empty. Where and how urgently a thread runs means nothing here, so that is accepted
// and forgotten.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>

#include "native/runtime/raw.h"
#include "native/runtime/threads.h"

using namespace heddle;
using namespace heddle::runtime;

namespace {

int answer_about(pthread_t handle) { return thread_of(handle) == kNoThread ? ESRCH : 0; }

}  // namespace

extern "C" {

int pthread_getattr_np(pthread_t handle, pthread_attr_t* attributes) noexcept {
  const ThreadId t = thread_of(handle);
  if (t == kNoThread) return ESRCH;
  const Thread& thread = rt.thread[t.index()];
  pthread_attr_init(attributes);
  pthread_attr_setstack(attributes, reinterpret_cast<void*>(thread.stack.low), thread.stack.high - thread.stack.low);
  pthread_attr_setguardsize(attributes, kGuardBytes);
  return pthread_attr_setdetachstate(attributes, thread.detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
}

int pthread_setaffinity_np(pthread_t handle, std::size_t, const cpu_set_t*) noexcept { return answer_about(handle); }
int pthread_getaffinity_np(pthread_t handle, std::size_t size, cpu_set_t* set) noexcept {
  memset(set, 0, size);
  const long written = raw::syscall(SYS_sched_getaffinity, 0, static_cast<long>(size), reinterpret_cast<long>(set));
  return written < 0 ? static_cast<int>(-written) : answer_about(handle);
}
int pthread_setschedparam(pthread_t handle, int, const sched_param*) noexcept { return answer_about(handle); }
int pthread_setschedprio(pthread_t handle, int) noexcept { return answer_about(handle); }
int pthread_getschedparam(pthread_t handle, int* policy, sched_param* parameters) noexcept {
  *policy = SCHED_OTHER;
  parameters->sched_priority = 0;
  return answer_about(handle);
}
int pthread_getcpuclockid(pthread_t handle, clockid_t* clock) noexcept {
  *clock = CLOCK_THREAD_CPUTIME_ID;
  return answer_about(handle);
}
}
