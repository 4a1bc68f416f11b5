// C11 threads, in terms of the same operations: in glibc their types have the layout of their POSIX counterparts.
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <threads.h>

#include "native/runtime/conditions.h"
#include "native/runtime/mutexes.h"
#include "native/runtime/once.h"
#include "native/runtime/threads.h"

using namespace heddle::runtime;

#define PC __builtin_return_address(0)
#define CALL (Call{PC, __builtin_frame_address(0)})

namespace {
int as_c11(int error) {
  switch (error) {
    case 0:
      return thrd_success;
    case EBUSY:
      return thrd_busy;
    case ETIMEDOUT:
      return thrd_timedout;
    case ENOMEM:
      return thrd_nomem;
    default:
      return thrd_error;
  }
}
pthread_mutex_t* posix(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* posix(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }
}  // namespace

extern "C" {

// An int returned in rax is what a void* result reads back.
int thrd_create(thrd_t* handle, thrd_start_t function, void* argument) {
  const auto address = reinterpret_cast<void*>(function);
  return as_c11(spawn(handle, false, reinterpret_cast<void* (*)(void*)>(address), argument, PC));
}
int thrd_join(thrd_t handle, int* result) {
  void* value = nullptr;
  const int error = join(handle, &value, PC);
  if (error == 0 && result) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(value));
  return as_c11(error);
}
int thrd_detach(thrd_t handle) { return as_c11(pthread_detach(handle)); }
thrd_t thrd_current() { return pthread_self(); }
int thrd_equal(thrd_t a, thrd_t b) { return a == b; }
void thrd_exit(int result) { pthread_exit(reinterpret_cast<void*>(static_cast<std::intptr_t>(result))); }
void thrd_yield() { sched_yield(); }
int thrd_sleep(const timespec* duration, timespec*) { return nanosleep(duration, nullptr); }

int mtx_init(mtx_t* mutex, int type) {
  memset(mutex, 0, sizeof *mutex);
  posix(mutex)->__data.__kind = type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
  return thrd_success;
}
void mtx_destroy(mtx_t* mutex) { pthread_mutex_destroy(posix(mutex)); }
int mtx_lock(mtx_t* mutex) { return as_c11(lock_mutex(posix(mutex), PC)); }
int mtx_trylock(mtx_t* mutex) { return as_c11(try_lock_mutex(posix(mutex), EBUSY, PC)); }
int mtx_timedlock(mtx_t* mutex, const timespec*) { return as_c11(try_lock_mutex(posix(mutex), ETIMEDOUT, PC)); }
int mtx_unlock(mtx_t* mutex) { return as_c11(unlock_mutex(posix(mutex), PC)); }

int cnd_init(cnd_t* condition) {
  memset(condition, 0, sizeof *condition);
  return thrd_success;
}
void cnd_destroy(cnd_t*) {}
int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  return as_c11(wait_on_condition(posix(condition), posix(mutex), nullptr, CALL));
}
int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* until) {
  const Deadline deadline = deadline_of(until);
  return as_c11(wait_on_condition(posix(condition), posix(mutex), &deadline, CALL));
}
int cnd_signal(cnd_t* condition) { return as_c11(signal_condition(posix(condition), PC)); }
int cnd_broadcast(cnd_t* condition) { return as_c11(broadcast_condition(posix(condition), PC)); }

int tss_create(tss_t* key, tss_dtor_t destructor) { return as_c11(pthread_key_create(key, destructor)); }
void tss_delete(tss_t key) { pthread_key_delete(key); }
void* tss_get(tss_t key) { return pthread_getspecific(key); }
int tss_set(tss_t key, void* value) { return as_c11(pthread_setspecific(key, value)); }

void call_once(once_flag* flag, void (*function)()) { run_once_only(flag, function, PC); }
}
