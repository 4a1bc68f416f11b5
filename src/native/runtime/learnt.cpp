#include "native/runtime/learnt.h"

#include "native/runtime/barriers.h"
#include "native/runtime/inputs.h"
#include "native/runtime/requests.h"
#include "native/runtime/runtime.h"
#include "native/runtime/shadow.h"
#include "native/runtime/spinning.h"
#include "native/runtime/spurious.h"

namespace heddle::runtime {

using protocol::Learnt;
using protocol::LearntKind;

namespace {
constinit std::vector<Learnt> everything_learnt;
}

void grow_visible_set(const Learnt& by) {
  EngineScope scope;
  rt.visible_set_grown = true;
  everything_learnt.push_back(by);
}

const std::vector<Learnt>& learnt_so_far() { return everything_learnt; }

void learn(const Learnt& lesson) {
  if (lesson.kind == LearntKind::kSpinSite) return learn_spin_site(reinterpret_cast<const void*>(lesson.address));
  if (lesson.kind == LearntKind::kLongLoop) return learn_long_loop();
  if (lesson.kind == LearntKind::kWaitLoop) return learn_wait_loop(lesson.address);
  if (lesson.kind == LearntKind::kBarrierUser) {
    learn_barrier_use(static_cast<BarrierNumber>(lesson.address), lesson.bytes);
    return;
  }
  if (lesson.kind == LearntKind::kAsked) return learn_asked(lesson.address);
  if (lesson.kind == LearntKind::kCompared) return inputs->learn_compared(lesson.address);
  Cell& cell = shadow.at(lesson.address);
  if (lesson.kind == LearntKind::kVisibleBytes)
    make_visible(cell, lesson.bytes);
  else if (lesson.kind == LearntKind::kFreedObject)
    cell.flags |= kFreedBeside;
  else
    cell.flags |= kMixed;
  grow_visible_set(lesson);
}

}  // namespace heddle::runtime
