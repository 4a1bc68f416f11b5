// Inline assembly with an operand in memory (native/pass/assembly.cpp): a visible operation, which the program performs
// itself between the two calls. Nobody else runs in between: there is no other visible operation.
#include "native/protocol/assembly_abi.h"
#include "native/runtime/assumptions.h"
#include "native/runtime/atomic_sections.h"
#include "native/runtime/happens_before.h"
#include "native/runtime/known_steps.h"
#include "native/runtime/object_state.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/random_numbers.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/unmodelled.h"

using namespace heddle;
using namespace heddle::runtime;
using protocol::AssemblyAccess;

#define PC __builtin_return_address(0)

namespace {

constexpr int kAcquire = 2, kRelease = 3, kSequential = 5;  // of the C ABI

// What has had its turn and is about to be executed.
struct UnderWay {
  const void* pc = nullptr;  // null: nothing
  bool write = false;
};
constinit UnderWay under_way;

OpKind kind_of(AssemblyAccess access) {
  switch (access) {
    case AssemblyAccess::kRead:
      return OpKind::kRead;
    case AssemblyAccess::kWrite:
      return OpKind::kWrite;
    case AssemblyAccess::kUpdate:
      return OpKind::kUpdate;
  }
  return OpKind::kUpdate;
}

void synchronise(ObjectId object, AssemblyAccess access) {
  if (access == AssemblyAccess::kRead)
    clocks.load(object, kAcquire);
  else if (access == AssemblyAccess::kWrite)
    clocks.store(object, kRelease);
  else
    clocks.update(object, kSequential);
}

// Until the operation's turn; false if there is none.
bool begin(void* p, std::size_t size, AssemblyAccess access, const void* pc) {
  if (!controlled()) return false;
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  const bool write = access != AssemblyAccess::kRead;
  if (in_section()) {
    section_access(address, size, write, pc);
    return false;
  }
  known_steps.switch_off();  // what the instruction is given in registers is not known
  value_at(address, size);   // crash here, not in the middle of scheduling
  const ObjectId object = objects.at(p, static_cast<std::uint32_t>(size), protocol::ObjectKind::kMemory);
  VisibleOperation op(kind_of(access), object, where_of(pc));
  if (rt.weak) note_unmodelled(pc, "inline assembly under a memory model");
  // What moves to or from memory, and does no more, is at most a release or an acquire.
  if (access != AssemblyAccess::kUpdate && rt.threads > 1 && !explores_weaker_orders())
    note_assumption(trace::AssumptionKind::kSequentialConsistency, pc, 0);
  op.await();
  if (op.is_silent()) {
    op.performed();
    return false;
  }
  op.op().before = op.op().after = value_at(address, size);
  if (rt.races_checked) {
    const std::uint32_t epoch = clocks.epoch(rt.current);
    synchronise(object, access);
    atomic_access(p, size, write, epoch, op.step().where);
  }
  under_way = {pc, write};
  return true;
}

void finish(void* p, std::size_t size) {
  Step& step = rt.conductor.pending(rt.current);
  note_effect(step);
  if (rt.weak) weak_memory.after(step);
  rt.conductor.performed(step);
  leave_nothing_behind();
  rt.in_engine = false;
  check_heap_access(p, size, under_way.write, under_way.pc);
}

}  // namespace

extern "C" {

void heddle_asm_before(void* p, unsigned long size, unsigned access) {
  under_way = {};
  if (begin(p, size, static_cast<AssemblyAccess>(access), PC)) rt.in_engine = false;
}

void heddle_asm_after(void* p, unsigned long size) {
  if (!under_way.pc) return;
  rt.in_engine = true;
  rt.conductor.pending(rt.current).op.after = value_at(reinterpret_cast<std::uintptr_t>(p), size);
  finish(p, size);
  under_way = {};
}

// For assembly that may go on elsewhere: what it leaves is looked at later.
void heddle_asm_access(void* p, unsigned long size, unsigned access) {
  under_way = {};
  if (!begin(p, size, static_cast<AssemblyAccess>(access), PC)) return;
  if (under_way.write) rt.self().spin.unchanged = false;
  finish(p, size);
  if (under_way.write) remember_plain_write(reinterpret_cast<std::uintptr_t>(p), size);
  under_way = {};
}

void heddle_unmodelled_access(const char* text) {
  if (controlled() && rt.threads > 1) note_unmodelled(PC, text);
}

void heddle_unmodelled(const char* text) {
  if (controlled()) note_unmodelled(PC, text);
}

unsigned long heddle_random_number() { return controlled() ? draw() : 4; }
}
