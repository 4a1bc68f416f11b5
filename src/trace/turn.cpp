#include "trace/turn.h"

#include <algorithm>

#include "base/assert.h"
#include "trace/dependence.h"

namespace heddle::trace {
namespace {

enum class Effect : std::uint8_t {
  kNone,     // of interest to nobody else
  kLook,
  kTransient,   // may be undone
  kLasting,
};

Effect effect_of(const Operation& op) {
  switch (op.kind) {
    case OpKind::kRead:
    case OpKind::kCasFailed:
    case OpKind::kTryFailed:
    case OpKind::kSharedTryFailed:
    case OpKind::kSemTryFailed:
    case OpKind::kSleepRefused:
      return Effect::kLook;
    case OpKind::kWrite:
    case OpKind::kUpdate:
    case OpKind::kCas:
      // To write what is there changes nothing, as long as it is there.
      return op.before == op.after ? Effect::kLook : Effect::kLasting;
    case OpKind::kAcquire:
    case OpKind::kRelease:
    case OpKind::kTryAcquire:
    case OpKind::kSharedAcquire:
    case OpKind::kSharedRelease:
    case OpKind::kSharedTry:
    case OpKind::kSemWait:
    case OpKind::kSemTry:
    case OpKind::kSemPost:
      return Effect::kTransient;
    case OpKind::kBranch:
    case OpKind::kAssume:
      return Effect::kNone;
    case OpKind::kWaitRelease:
    case OpKind::kWait:
    case OpKind::kTimeout:
    case OpKind::kSleep:
    case OpKind::kSignal:
    case OpKind::kBroadcast:
    case OpKind::kArrive:
    case OpKind::kSpawn:
    case OpKind::kJoin:
    case OpKind::kChoose:
    case OpKind::kTerminate:
      return Effect::kLasting;
  }
  return Effect::kLasting;
}

// The state of a lock or semaphore after the operation.
std::uint64_t state_after(const Operation& op) {
  switch (op.kind) {
    case OpKind::kAcquire:
    case OpKind::kTryAcquire:
      return kHeldExclusively;
    case OpKind::kRelease:
      return kLockFree;
    case OpKind::kSharedAcquire:
    case OpKind::kSharedTry:
    case OpKind::kSemPost:
      return op.before + 1;
    case OpKind::kSharedRelease:
    case OpKind::kSemWait:
    case OpKind::kSemTry:
      return op.before - 1;
    default:
      return op.after;
  }
}

bool takes(OpKind kind) {
  return kind == OpKind::kAcquire || kind == OpKind::kTryAcquire || kind == OpKind::kSharedAcquire ||
         kind == OpKind::kSharedTry || kind == OpKind::kSemWait || kind == OpKind::kSemTry;
}

// Readers of one lock do not keep each other out.
bool shares(OpKind kind) { return kind == OpKind::kSharedAcquire || kind == OpKind::kSharedRelease; }

// What was taken: the object's state before and after, and the steps between which nobody else may touch it.
struct Taken {
  ObjectId object;
  std::uint64_t before, after;
  EventIndex first, last;
};

}  // namespace

bool changes_nothing(std::span<const Step> steps, EventIndex first, ThreadId t, std::vector<Look>& looks) {
  looks.clear();
  std::vector<Taken> taken;
  for (EventIndex i = first; i < steps.size(); ++i) {
    if (steps[i].thread != t) continue;
    const Operation& op = steps[i].op;
    const auto held = std::find_if(taken.begin(), taken.end(), [&](const Taken& x) { return x.object == op.object; });
    switch (effect_of(op)) {
      case Effect::kNone:
        break;
      case Effect::kLasting:
        return false;
      case Effect::kLook:
        if (held == taken.end()) looks.push_back({op.object, op.before, i});
        break;   // otherwise at its own doing
      case Effect::kTransient:
        if (held == taken.end()) {
          if (!takes(op.kind)) return false;
          taken.push_back({op.object, op.before, state_after(op), i, i});
        } else {
          held->after = shares(op.kind) ? held->after + state_after(op) - op.before : state_after(op);
          held->last = i;
        }
        break;
    }
  }
  for (const Taken& x : taken) {
    if (x.after != x.before) return false;
    for (EventIndex i = x.first; i <= x.last; ++i)
      if (steps[i].thread != t && steps[i].op.object == x.object &&
          !(shares(steps[i].op.kind) && shares(steps[x.first].op.kind)))
        return false;
    looks.push_back({x.object, x.before, x.last});
  }
  return true;
}

namespace {

// Is it a step of a turn in vain? Those can be struck out, all of them: two threads that look under one lock in turn have
// changed nothing for each other.
bool in_vain(const Execution& execution, EventIndex i) {
  return std::any_of(execution.idle_turns.begin(), execution.idle_turns.end(), [&](const IdleTurn& turn) {
    return turn.thread == execution.steps[i].thread && turn.first <= i;
  });
}

// Has another thread written to something that t looked at since?
bool overtaken(const Execution& execution, ThreadId t, std::span<const Look> looks) {
  const auto& steps = execution.steps;
  for (const Look& look : looks)
    for (EventIndex i = look.at + 1; i < steps.size(); ++i)
      if (steps[i].op.object == look.object && steps[i].thread != t &&
          access_of(steps[i].op.kind) == Access::kWrites && !in_vain(execution, i))
        return true;
  return false;
}

}  // namespace

Waits judge_waits(const Execution& execution) {
  if (execution.idle_turns.empty()) return Waits::kNone;
  if (!execution.steps.empty() && execution.steps.back().op.kind == OpKind::kTerminate) return Waits::kVoid;
  std::vector<Look> looks;
  for (const auto& [thread, first] : execution.idle_turns) {
    const bool idle = changes_nothing(execution.steps, first, thread, looks);
    INVARIANT(idle);
    if (overtaken(execution, thread, looks)) return Waits::kVoid;
  }
  return Waits::kForEver;
}

bool same_finds(std::span<const Look> a, std::span<const Look> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Look& x, const Look& y) { return x.object == y.object && x.found == y.found; });
}

}  // namespace heddle::trace
