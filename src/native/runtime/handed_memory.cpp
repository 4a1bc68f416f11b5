// Which plain accesses forbid to follow known steps (known_steps.h): those that may race with what another
// thread does in a step that is followed, and those to what another thread has for itself.
#include <algorithm>

#include "native/runtime/known_steps.h"
#include "native/runtime/scheduler.h"

namespace heddle::runtime {
namespace {

bool exists(ThreadId t) { return t.index() < rt.threads && rt.thread[t.index()].status != ThreadStatus::kAbsent; }

// The child of `ancestor` that `t` is, or descends from; kNoThread if it does not.
ThreadId child_towards(ThreadId ancestor, ThreadId t) {
  while (t.index() != 0 && spawn_place(t).parent != ancestor) t = spawn_place(t).parent;
  return t.index() == 0 ? kNoThread : t;
}

}  // namespace

bool KnownSteps::is_of_another_thread(std::uintptr_t address) {
  for (std::size_t t = 0; t < rt.threads; ++t) {
    const Thread& thread = rt.thread[t];
    if (t == rt.current.index()) continue;
    if (thread.stack.contains(address))
      return t != 0 || thread.status != ThreadStatus::kPending || thread.frame == 0 || address < thread.frame;
    if (address >= thread.tls.pages_begin() && address < thread.tls.pages_end()) return true;
  }
  return false;
}

// The cell remembers whose it is. Others may access it as long as starting and joining threads orders their
// accesses and the owner's in every execution:
//
// * an ancestor, before it starts the line of threads that leads to the owner;
// * a descendant, if the owner has never accessed it after starting the line that leads there: it is the new
//   owner then;
// * whoever has joined the owner. From then on nobody becomes a new owner, who might not have been waited for.
//
// Otherwise it is shared.
void KnownSteps::note_sharer(Cell& cell, bool write) {
  constexpr std::uint16_t kOwned = 0x8000, kShared = 0x4000, kWritten = 0x2000, kFollowed = 0x1000,
                          kHandedBack = 0x0800;
  constexpr unsigned kMostChildren = 15, kChildrenShift = 7, kOwner = 0x7f;
  std::uint16_t now = cell.sharers;
  const ThreadId me = rt.current, owner(now & kOwner);
  // That the owner had at its accesses, at most.
  const unsigned children = (now >> kChildrenShift) & kMostChildren;
  const auto own = [&](unsigned at_least) {
    const unsigned mine = std::min<unsigned>(std::max<unsigned>(at_least, rt.self().spawned), kMostChildren);
    now = static_cast<std::uint16_t>((now & ~(kOwner | kMostChildren << kChildrenShift)) | me.value |
                                     mine << kChildrenShift);
  };
  const auto& steps = rt.execution->steps;
  if (!steps.empty() && steps.back().op.kind != OpKind::kSpawn) now |= kFollowed;
  if (write) now |= kWritten;
  if ((now & kOwned) == 0) {
    now |= kOwned;
    own(0);
  } else if (owner == me) {
    own(children);
  } else if (const ThreadId child = child_towards(me, owner); child != kNoThread && !exists(child)) {
    // before
  } else if (exists(owner) && rt.thread[owner.index()].joined && rt.thread[owner.index()].joined_by == me) {
    now |= kHandedBack;
  } else if (const ThreadId line = child_towards(owner, me); line != kNoThread && (now & kHandedBack) == 0 &&
                                                             children < kMostChildren &&
                                                             children <= spawn_place(line).ordinal) {
    own(0);
  } else {
    now |= kShared;
  }
  cell.sharers = now;
  if ((now & kShared) != 0 && (now & kWritten) != 0 && (now & kFollowed) != 0) switch_off();
}

}  // namespace heddle::runtime
