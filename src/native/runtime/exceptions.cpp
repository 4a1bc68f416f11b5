// Exceptions that several threads own. std::exception_ptr, and with it every future that carries an exception, counts
// owners inside libstdc++, where no instrumentation sees it; without that count the last owner's free would look like
// a race with what the others read. So giving up an owner is a visible operation here, an update of the count that
// releases and acquires, as libstdc++ does it.
//
// Owners are given up in two functions that libstdc++ calls through the dynamic linker: exception_ptr's _M_release, and
// _Unwind_DeleteException at the end of a handler. Taking an owner needs no step of its own: it is only done by
// somebody who is one, so the count does not reach zero meanwhile. An exception that never had two owners, like nearly
// all, takes no step at all.
#include <dlfcn.h>
#include <unwind.h>

#include "native/runtime/exceptions.h"
#include "native/runtime/happens_before.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"

using namespace heddle;
using namespace heddle::native;

namespace {

// What libstdc++ puts before a thrown object (its unwind-cxx.h); both exception headers end with the unwinder's. The word
// after the count is padding, zero in a new exception, and tells that there were two owners once.
struct Header {
  volatile int owners;
  int were_several;
  int unused[2];
  char rest[112];
};
static_assert(sizeof(Header) == 128);

struct DependentException {   // what std::rethrow_exception throws in place of the primary one
  void* primary;
  char rest[72];
  _Unwind_Exception unwind;
};
static_assert(offsetof(DependentException, unwind) == 80);

constexpr _Unwind_Exception_Class kPrimary = 0x474e5543432b2b00;     // "GNUCC++\0"
constexpr _Unwind_Exception_Class kDependent = 0x474e5543432b2b01;   // "GNUCC++\1"

Header& header_of(void* thrown) { return static_cast<Header*>(thrown)[-1]; }

using Release = void (*)(void*);
Release real_release = nullptr;

// The caller is about to take one from the count.
void give_up(Header& header, const void* pc) {
  if (!controlled()) return;
  if (header.owners > 1) header.were_several = 1;
  if (!header.were_several) return;
  VisibleOperation op(OpKind::kUpdate, objects.at(&header.owners, sizeof header.owners, ObjectKind::kMemory), where_of(pc));
  op.await();
  op.op().before = static_cast<std::uint64_t>(header.owners);
  op.op().after = static_cast<std::uint64_t>(header.owners - 1);
  if (rt.races_checked) clocks.update(op.op().object, __ATOMIC_ACQ_REL);
  op.performed();
}

}  // namespace

namespace heddle::native {

void take_over_exceptions() {
  real_release = reinterpret_cast<Release>(dlsym(RTLD_NEXT, "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv"));
}

}  // namespace heddle::native

#define PC __builtin_return_address(0)

extern "C" {

// std::exception_ptr::_M_release(); the object is the one pointer in it.
void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void** self) {
  if (*self) give_up(header_of(*self), PC);
  real_release(self);
}

void _Unwind_DeleteException(_Unwind_Exception* exception) {
  if (exception->exception_class == kPrimary) {
    give_up(header_of(exception + 1), PC);
  } else if (exception->exception_class == kDependent) {
    auto dependent = reinterpret_cast<DependentException*>(reinterpret_cast<char*>(exception) -
                                                           offsetof(DependentException, unwind));
    give_up(header_of(dependent->primary), PC);
  }
  if (exception->exception_cleanup) exception->exception_cleanup(_URC_FOREIGN_EXCEPTION_CAUGHT, exception);
}
}
