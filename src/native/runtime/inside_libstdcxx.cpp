// Atomic operations that libstdc++ performs inside itself, where no instrumentation sees them, and on which the program
// relies for its order.
//
// Exceptions with several owners. std::exception_ptr, and with it every future that carries an exception, counts
// owners; without that count the last owner's free would look like a race with what the others have read. So giving
// up an owner is a visible operation here, an update of the count that releases and acquires, as libstdc++ does it.
// Owners are given up in two functions that libstdc++ calls through the dynamic linker: exception_ptr's _M_release, and
// _Unwind_DeleteException at the end of a handler. Taking an owner needs no step of its own: it is only done by
// somebody who is one, so the count does not reach zero meanwhile. An exception that never had two owners, like nearly
// all, takes no step at all.
//
// Futures made ready at the end of a thread. The status is stored by a function of libstdc++'s own list of such
// functions; ours takes its place in the list, performs the store as a visible operation, and calls it.
#include <dlfcn.h>
#include <string.h>
#include <unwind.h>

#include <memory>

#include "native/runtime/happens_before.h"
#include "native/runtime/inside_libstdcxx.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"

using namespace heddle;
using namespace heddle::runtime;

namespace {

// What libstdc++ puts before a thrown object (its unwind-cxx.h); both exception headers end with the unwinder's. The
// word after the count is padding, zero in a new exception, and tells that there were two owners once.
struct Header {
  volatile int owners;
  int were_several;
  int unused[2];
  char rest[112];
};
static_assert(sizeof(Header) == 128);

struct DependentException {  // what std::rethrow_exception throws in place of the primary one
  void* primary;
  char rest[72];
  _Unwind_Exception unwind;
};
static_assert(offsetof(DependentException, unwind) == 80);

constexpr _Unwind_Exception_Class kPrimary = 0x474e5543432b2b00;    // "GNUCC++\0"
constexpr _Unwind_Exception_Class kDependent = 0x474e5543432b2b01;  // "GNUCC++\1"

Header& header_of(void* thrown) { return static_cast<Header*>(thrown)[-1]; }

using Function = void (*)(void*);
Function real_release = nullptr;
Function real_make_ready_later = nullptr;
Function real_make_ready = nullptr;  // libstdc++'s function in its list

// The operation is performed when the library writes there, in a moment.
template <class T>
void remember_later_write(T& word) {
  if (rt.weak) remember_plain_write(reinterpret_cast<std::uintptr_t>(&word), sizeof word);
}

// The caller is about to take one from the count.
void give_up(Header& header, const void* pc) {
  if (!controlled()) return;
  if (header.owners > 1) header.were_several = 1;
  if (!header.were_several) return;
  VisibleOperation op(OpKind::kUpdate, objects.at(&header.owners, sizeof header.owners, protocol::ObjectKind::kMemory),
                      where_of(pc));
  op.with_order(__ATOMIC_ACQ_REL);
  op.await();
  op.op().before = static_cast<std::uint64_t>(header.owners);
  op.op().after = static_cast<std::uint64_t>(header.owners - 1);
  if (rt.races_checked) clocks.update(op.op().object, __ATOMIC_ACQ_REL);
  op.performed();
  remember_later_write(header.owners);
}

std::uint32_t end_of_thread() { return where_of(reinterpret_cast<const void*>(rt.self().function)); }

struct FutureState {  // std::__future_base::_State_baseV2
  void* vtable;
  void* result;
  volatile std::uint32_t status;
};

// std::__future_base::_State_baseV2::_Make_ready: an element of the list, and a weak pointer to the state.
struct MakeReady {
  MakeReady* next;
  Function function;
  FutureState* state;
  struct Counts {
    void* vtable;
    int owners;
  }* counts;
};

// One more or one fewer owner of a future's state. False: nobody owned it.
bool count_owner(MakeReady::Counts& counts, int more) {
  VisibleOperation op(OpKind::kUpdate, objects.at(&counts.owners, sizeof counts.owners, protocol::ObjectKind::kMemory),
                      end_of_thread());
  op.with_order(__ATOMIC_ACQ_REL);
  op.await();
  const bool owned = counts.owners > 0;
  op.op().before = static_cast<std::uint64_t>(counts.owners);
  op.op().after = static_cast<std::uint64_t>(owned ? counts.owners + more : 0);
  if (rt.races_checked) clocks.update(op.op().object, __ATOMIC_ACQ_REL);
  op.performed();
  remember_later_write(counts.owners);
  return owned;
}

// libstdc++'s function takes the state and gives it up again while we hold it, so that it is never the last owner.
void make_ready(void* argument) {
  const MakeReady self = *static_cast<MakeReady*>(argument);
  if (!controlled() || !self.counts || !count_owner(*self.counts, 1)) return real_make_ready(argument);
  ++self.counts->owners;
  alignas(std::shared_ptr<void>) char held[sizeof(std::shared_ptr<void>)];
  memcpy(held, &self.state, sizeof held);
  volatile std::uint32_t* status = &self.state->status;
  VisibleOperation op(OpKind::kUpdate, objects.at(status, sizeof *status, protocol::ObjectKind::kMemory),
                      end_of_thread());
  op.with_order(__ATOMIC_RELEASE);
  op.await();
  op.op().before = *status;
  op.op().after = 1;
  if (rt.races_checked) clocks.update(op.op().object, __ATOMIC_RELEASE);
  op.performed();
  remember_later_write(*status);
  real_make_ready(argument);
  count_owner(*self.counts, -1);
  reinterpret_cast<std::shared_ptr<void>*>(held)->~shared_ptr();
}

Function next_definition(const char* name) { return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name)); }

}  // namespace

namespace heddle::runtime {

void take_over_libstdcxx() {
  real_release = next_definition("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
  real_make_ready_later = next_definition("_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv");
}

}  // namespace heddle::runtime

#define PC __builtin_return_address(0)

extern "C" {

// std::exception_ptr::_M_release(); the object is the one pointer in it.
void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void** self) {
  if (*self) give_up(header_of(*self), PC);
  real_release(self);
}

// std::__future_base::_State_baseV2::_Make_ready::_M_set()
void _ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv(MakeReady* self) {
  real_make_ready_later(self);
  real_make_ready = self->function;
  self->function = make_ready;
}

// Weak, like the two above when the library is built: a program that links libgcc and libstdc++ statically has its own.
__attribute__((weak)) void _Unwind_DeleteException(_Unwind_Exception* exception) {
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
