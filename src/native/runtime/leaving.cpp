// pthread_exit unwinds: on its way out a thread runs the destructors of its C++ frames and the cleanups that C code has
// pushed, each when its frame is reached, as with glibc. Frames of C++ are left by _Unwind_ForcedUnwind, which runs
// landing pads but is caught by nobody: a `catch (...)` must rethrow, or the program is aborted.
//
// C code without exceptions marks its cleanups by a jump buffer in the frame (pthread.h): unwinding stops at that frame
// and jumps there, the code there runs the cleanup and calls __pthread_unwind_next, and unwinding goes on from there.
#include "native/runtime/leaving.h"

#include <pthread.h>
#include <setjmp.h>
#include <unwind.h>

#include "native/runtime/failure.h"
#include "native/runtime/runtime.h"
#include "native/runtime/threads.h"

namespace heddle::runtime {
namespace {

__pthread_unwind_buf_t* latest_cleanup() { return static_cast<__pthread_unwind_buf_t*>(rt.self().cleanups); }

// What pthread_cleanup_push of C leaves in its frame: where to jump to, and here the one pushed before.
__pthread_unwind_buf_t* pushed_before(__pthread_unwind_buf_t* cleanup) {
  return static_cast<__pthread_unwind_buf_t*>(cleanup->__pad[0]);
}

// The stack pointer of the frame that pushed it, which the C library keeps disguised (PTR_MANGLE).
std::uintptr_t frame_of(const __pthread_unwind_buf_t* cleanup) {
  constexpr int kStackPointer = 6;  // in a jump buffer
  auto value = static_cast<std::uintptr_t>(cleanup->__cancel_jmp_buf[0].__cancel_jmp_buf[kStackPointer]);
  asm("rorq $17, %0\n\txorq %%fs:0x30, %0" : "+r"(value) : : "cc");
  return value;
}

// Asked at each frame, before anything of it runs.
_Unwind_Reason_Code at_frame(int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception*,
                             _Unwind_Context* context, void*) {
  const bool last = (actions & _UA_END_OF_STACK) != 0;
  if (auto cleanup = latest_cleanup(); cleanup && (last || _Unwind_GetCFA(context) >= frame_of(cleanup))) {
    rt.self().cleanups = pushed_before(cleanup);
    _longjmp(reinterpret_cast<__jmp_buf_tag*>(cleanup->__cancel_jmp_buf), 1);
  }
  if (last) finish_thread();
  return _URC_NO_REASON;
}

// Somebody has caught what nobody may catch, and is done with it.
void not_rethrown(_Unwind_Reason_Code, _Unwind_Exception*) {
  fail_thread(trace::FailureKind::kAbort, rt.self().left_at,
              "an exception handler ends the unwinding of pthread_exit or a cancellation; it must rethrow");
}

}  // namespace

// Frames that are left are overwritten by what runs in those above: the exception is kept elsewhere.
void leave_frames() {
  _Unwind_Exception& exception = rt.self().leaving;
  exception = {};
  exception.exception_cleanup = not_rethrown;
  _Unwind_ForcedUnwind(&exception, at_frame, nullptr);
  finish_thread();  // a frame that cannot be unwound
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

extern "C" {

void pthread_exit(void* result) {
  rt.self().result = result;
  rt.self().left_at = __builtin_return_address(0);
  leave_frames();
}

void __pthread_register_cancel(__pthread_unwind_buf_t* cleanup) {
  cleanup->__pad[0] = rt.self().cleanups;
  rt.self().cleanups = cleanup;
}
void __pthread_unregister_cancel(__pthread_unwind_buf_t* cleanup) { rt.self().cleanups = pushed_before(cleanup); }
void __pthread_unwind_next(__pthread_unwind_buf_t*) { leave_frames(); }
}
