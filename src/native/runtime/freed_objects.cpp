#include "native/runtime/freed_objects.h"

#include "native/runtime/happens_before.h"
#include "native/runtime/isolation.h"
#include "native/runtime/learnt.h"
#include "native/runtime/object_state.h"
#include "native/runtime/parts.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/scheduler.h"

namespace heddle::runtime {
namespace {

// Who has used which object last, in this execution: at a checkpoint.
struct LastUse {
  Object* object;
  std::uint32_t clock;
  std::uint16_t by;
  bool by_several;
};
constinit std::vector<Object*> used;
constinit std::vector<LastUse> kept[kMostCheckpoints];

void keep(std::size_t checkpoint) {
  kept[checkpoint].clear();
  for (Object* object : used)
    kept[checkpoint].push_back({object, object->used_clock, object->used_by, object->used_by_several});
}

void go_back(std::size_t checkpoint) {
  for (std::size_t i = kept[checkpoint].size(); i < used.size(); ++i) used[i]->used_generation = 0;
  used.resize(kept[checkpoint].size());
  for (const LastUse& last : kept[checkpoint]) {
    last.object->used_clock = last.clock;
    last.object->used_by = last.by;
    last.object->used_by_several = last.by_several;
  }
}

bool is_synchronisation(const Object& object) { return object.kind != protocol::ObjectKind::kMemory; }

bool last_use_is_before(const Object& object) {
  return object.used_generation != rt.generation || object.used_by == rt.current.value ||
         clocks.ordered(object.used_by, object.used_clock, rt.current);
}

void learn_end(std::uintptr_t granule) {
  Cell& cell = shadow.at(granule);
  if ((cell.flags & kFreedBeside) != 0) return;
  cell.flags |= kFreedBeside;
  grow_visible_set({protocol::LearntKind::kFreedObject, granule, 0});
  note_lesson({.granule = granule, .flags = kFreedBeside});
}

}  // namespace

constinit const Part uses_part = described({.begin = [] { used.clear(); }, .keep = keep, .go_back = go_back});

void note_use_behind_end(const Object& object) { learn_end(object.address & ~std::uintptr_t{7}); }

void note_use(Object& object) {
  if (!rt.races_checked) return;
  const bool again = object.used_generation == rt.generation;
  object.used_by_several = again && (object.used_by_several || !last_use_is_before(object));
  if (!again) {
    EngineScope scope;
    used.push_back(&object);
  }
  object.used_generation = rt.generation;
  object.used_by = rt.current.value;
  object.used_clock = clocks.epoch(rt.current);
}

void await_end_of_objects(std::uintptr_t granule, const void* pc) {
  objects.for_each_in(granule, [&](const Object& object) {
    if (!is_synchronisation(object)) return;
    note_hidden_change();  // no turn of a loop, though it leaves the object as it is
    VisibleOperation op(OpKind::kUpdate, ObjectId(object.root), where_of(pc));
    op.with_order(__ATOMIC_RELAXED);
    op.await();
    op.op().before = op.op().after = state_of(object).value_or(0);
    op.performed();
  });
}

void note_end_of_objects(std::uintptr_t granule) {
  if ((shadow.at(granule).flags & kFreedBeside) != 0) return;
  bool unordered = false;
  objects.for_each_in(granule, [&](const Object& object) {
    if (!is_synchronisation(object) || object.used_generation != rt.generation) return;
    unordered = unordered || object.used_by_several || !last_use_is_before(object);
  });
  if (unordered) learn_end(granule);
}

}  // namespace heddle::runtime
