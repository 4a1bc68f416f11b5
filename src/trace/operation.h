// Visible operations: everything by which one thread can influence another. Whatever a thread does between two
// of them is local and belongs to the first. What kinds there are is in trace/kinds.h; what they do to their objects in
// trace/object.h.
//
// `before` and `after` carry the object's value around the operation, which is enough to say how an operation
// would have turned out had it come first (trace/reversal.h):
//
//   memory            before: value found            after: value left (kCasFailed, and kCas while it is only
//                                                    announced: the value it expects)
//   lock              before: 0 free, kHeldExclusively, or the number of readers
//                     kWaitRelease: after is kTimedWait if the thread may give up waiting
//   semaphore         before: the count found
//   barrier           after: how many arrivals are missing, 0 after the last; in turn (docs/adr/0014) before and
//                     after: how many steps of the round have been done, 0 after the one that opens it (announced,
//                     after: after how many of them it is its turn)
//   branch, assume    before: the condition's number in the front end's store of terms; announced with the
//                     outcome to try first in `after`, done with the number of outcomes there are at all
//   join              after, one or both: kSawNothing if the thread looked at nothing that others may have left
//                     before it came to its next operation or its end; kOnlyTries if it would not have come here, had
//                     the other one not ended
//   sleep             before: the value found; after: kTimedWait if the thread may give up (kSleepRefused, and kSleep
//                     while it is only announced: the value it expects)
//   choose            after: kSpuriousWakeUp, kSpuriousFailure if 1 is a wait that returns, an exchange that fails, for
//                     no reason; kInterruption if 1 is a wait that a request of another thread interrupts; kGivesWay
//                     if it is a sleep, with nothing to choose; kTellsWho if it is who is told to be the serial thread
//   terminate         after: kLosesWork if what others were about to do would be missed
//   others            unused
#pragma once

#include <cstdint>

#include "base/small_set.h"
#include "base/strong_id.h"
#include "trace/kinds.h"

namespace heddle::trace {

inline constexpr std::uint64_t kLockFree = 0;
inline constexpr std::uint64_t kHeldExclusively = ~0ull;
inline constexpr std::uint64_t kSawNothing = 1;
inline constexpr std::uint64_t kOnlyTries = 2;
inline constexpr std::uint64_t kTimedWait = 1;
inline constexpr std::uint64_t kLosesWork = 1;
inline constexpr std::uint64_t kSpuriousWakeUp = 1;
inline constexpr std::uint64_t kSpuriousFailure = 2;
inline constexpr std::uint64_t kGivesWay = 3;
inline constexpr std::uint64_t kInterruption = 4;
inline constexpr std::uint64_t kTellsWho = 5;

struct Operation {
  OpKind kind = OpKind::kRead;
  MemoryOrder order = MemoryOrder::kSeqCst;  // of memory operations and fences
  ThreadId peer = kNoThread;                 // kSpawn, kJoin
  ObjectId object = kNoObject;
  std::uint64_t before = 0;
  std::uint64_t after = 0;

  bool operator==(const Operation&) const = default;
};

// Would the thread not have come to this join, had the other one not ended?
constexpr bool only_tries(const Operation& op) { return op.kind == OpKind::kJoin && (op.after & kOnlyTries) != 0; }

// One step of an execution: who did what. 64 bytes as a rule, so that a trace is a flat array of cache lines.
struct Step {
  Operation op;
  ThreadId thread;
  std::uint16_t choice =
      0;                    // kSignal: the waiter woken; kChoose: the value chosen; kBranch: the outcome; memory, under
                            // a weak memory model: how many stores are newer than the one read, or written before
  std::uint32_t where = 0;  // source position, in the front end's own numbering
  SmallSet set;             // kSignal, kChoose, kBranch: the alternatives; kBroadcast, arrivals: who is woken; memory:
                            // the number of the term that the value is now, if it depends on inputs (models)
  ThreadSet enabled;        // threads enabled before the step
  bool operator==(const Step&) const = default;
};
static_assert(sizeof(Step) == 32 + 2 * sizeof(SmallSet));

// Does its thread wait at a barrier after this step? (Who is to say who is told goes on at once: it has woken itself.)
inline bool waits_at_barrier(const Step& step) {
  return is_arrival(step.op.kind) && step.op.after != 0 && !step.set.contains(step.thread.index());
}

// Does it open a barrier that threads pass in turn? Any of them might have been the last to come.
inline bool opens_in_turn(const Step& step) { return step.op.kind == OpKind::kArriveInTurn && step.op.after == 0; }

// Threads whose next event happens after this step because the step woke or started them. (A waiter that is
// signalled before it has released its mutex still does that first, independently: kWaitRelease.)
inline ThreadSet woken_by(const Step& step) {
  switch (row_of(step.op.kind).wakes) {
    case Wakes::kPicked:
      return step.set.empty() ? ThreadSet{} : ThreadSet::of(step.choice);
    case Wakes::kSet:
      return step.set;
    case Wakes::kPeer:
      return ThreadSet::of(step.op.peer.index());
    case Wakes::kNobody:
      return {};
  }
  return {};
}

}  // namespace heddle::trace
