#include "native/runtime/atomic_sections.h"

#include <algorithm>
#include <vector>

#include "native/runtime/happens_before.h"
#include "native/runtime/isolation.h"
#include "native/runtime/known_steps.h"
#include "native/runtime/object_state.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/unmodelled.h"

namespace heddle::runtime {
namespace {

constexpr int kAcquire = 2, kAcquireRelease = 4;  // of the C ABI

constinit std::vector<const void*> writing_sections;

bool writes_later(const void* pc) {
  return std::find(writing_sections.begin(), writing_sections.end(), pc) != writing_sections.end();
}

struct Choices {
  const void* pc;
  std::vector<std::uint8_t> alternatives;
};
constinit std::vector<Choices> choosing_sections;

// What the section will ask for.
void choose_beforehand(const void* pc) {
  const auto known =
      std::find_if(choosing_sections.begin(), choosing_sections.end(), [&](auto& c) { return c.pc == pc; });
  rt.self().section_choices = 0;
  if (known == choosing_sections.end()) return;
  for (std::size_t k = 0; k < known->alternatives.size(); ++k) {
    VisibleOperation op(OpKind::kChoose, kNoObject, where_of(pc));
    op.step().set = SmallSet::below(known->alternatives[k]);
    op.await();
    op.step().choice = op.choice();
    op.performed();
    rt.self().section_choice[k] = static_cast<std::uint8_t>(op.step().choice);
  }
}

// The section's step.
void begin_step(ObjectId object, std::uintptr_t address, std::size_t size, bool write, const void* pc) {
  Thread& self = rt.self();
  const bool writes = write || writes_later(pc);
  choose_beforehand(pc);
  VisibleOperation op(write ? OpKind::kWrite : writes ? OpKind::kUpdate : OpKind::kRead, object, where_of(pc));
  op.await();
  op.op().before = op.op().after = value_at(address, size);
  op.performed();
  if (write) remember_plain_write(address, size);
  self.section_object = object;
  self.section_pc = pc;
  self.section_writes = writes;
}

void join_step(ObjectId object, bool write) {
  Thread& self = rt.self();
  if (objects.join(object, self.section_object)) self.section_object = objects.root(self.section_object);
  if (write && !self.section_writes) {
    learn_writing_section(self.section_pc);
    self.section_writes = true;
  }
}

}  // namespace

void learn_writing_section(const void* pc) {
  if (writes_later(pc)) return;
  EngineScope scope;
  writing_sections.push_back(pc);
  rt.visible_set_grown = true;
  note_lesson({.writing_section = pc});
}

void learn_choosing_section(const void* pc, std::size_t k, std::size_t alternatives) {
  EngineScope scope;
  auto known = std::find_if(choosing_sections.begin(), choosing_sections.end(), [&](auto& c) { return c.pc == pc; });
  if (known == choosing_sections.end()) known = choosing_sections.insert(known, {pc, {}});
  if (known->alternatives.size() <= k) known->alternatives.resize(k + 1, 1);
  if (known->alternatives[k] >= alternatives) return;
  known->alternatives[k] = static_cast<std::uint8_t>(alternatives);
  rt.visible_set_grown = true;
  note_lesson({.choosing_section = pc,
               .choice = static_cast<std::uint32_t>(k),
               .alternatives = static_cast<std::uint32_t>(alternatives)});
}

std::uint16_t choose_in_section(std::size_t alternatives, const void* pc) {
  Thread& self = rt.self();
  const std::size_t k = self.section_choices;
  if (k == std::size(self.section_choice)) {
    note_unmodelled(pc, "there are too many choices inside an atomic section; one was taken");
    return 0;
  }
  ++self.section_choices;
  const auto known = std::find_if(choosing_sections.begin(), choosing_sections.end(),
                                  [&](auto& c) { return c.pc == self.section_pc; });
  if (known != choosing_sections.end() && k < known->alternatives.size() && known->alternatives[k] >= alternatives)
    return static_cast<std::uint16_t>(self.section_choice[k] % alternatives);
  learn_choosing_section(self.section_pc, k, alternatives);
  return 0;
}

void section_access(std::uintptr_t address, std::size_t size, bool write, const void* pc) {
  if (size == 0) return;
  Thread& self = rt.self();
  const auto* p = reinterpret_cast<const volatile void*>(address);
  check_heap_access(p, size, write, pc);
  if (write && !self.stack.contains(address)) self.spin.unchanged = false;
  if (rt.threads == 1) return;
  value_at(address, size);  // crash here, not in the middle of scheduling
  const auto bytes = static_cast<std::uint32_t>(size);
  if (self.section_object == kNoObject) {
    begin_step(objects.at(p, bytes, protocol::ObjectKind::kMemory), address, size, write, pc);
    check_heap_access(p, size, write, pc);
  } else {
    join_step(objects.at(p, bytes, protocol::ObjectKind::kMemory), write);
    self.spin.unchanged = false;  // what it has seen is not all in its step
  }
  if (!rt.races_checked) return;
  EngineScope scope;
  const ObjectId object = objects.at(p, bytes, protocol::ObjectKind::kMemory);
  const std::uint32_t epoch = clocks.epoch(rt.current);
  if (write)
    clocks.update(object, kAcquireRelease);
  else
    clocks.load(object, kAcquire);
  atomic_access(p, size, write, epoch, where_of(pc));
}

void check_operation_in_section(OpKind kind) {
  Thread& self = rt.self();
  if (self.section == 0) return;
  self.hurried = 0;  // it does more than look
  switch (kind) {
    case OpKind::kRead:
    case OpKind::kWrite:
    case OpKind::kUpdate:
    case OpKind::kChoose:
      return;
    default:
      if (self.section_object == kNoObject && (kind == OpKind::kBranch || kind == OpKind::kAssume)) return;
      note_unmodelled(rt.pc,
                      "something that is no access to memory was done inside an atomic section, which ended there");
      self.section_object = kNoObject;
  }
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

extern "C" {
void __VERIFIER_atomic_begin() {
  if (!controlled()) return;
  if (!rt.sections) {
    rt.sections = true;
    known_steps.switch_off();
  }
  ++rt.self().section;
}

void __VERIFIER_atomic_end() {
  if (!controlled() || rt.self().section == 0) return;
  if (--rt.self().section == 0) rt.self().section_object = heddle::kNoObject;
}
}
