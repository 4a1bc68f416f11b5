#include "trace/turn.h"

#include <algorithm>

#include "base/assert.h"
#include "trace/dependence.h"

namespace heddle::trace {
namespace {

// The state of its object after the operation.
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

// May it be the first change of a turn? Not if somebody could have been blocked by what it gives away.
bool takes(OpKind kind) {
  return kind <= OpKind::kCas || kind == OpKind::kAcquire || kind == OpKind::kTryAcquire || kind == OpKind::kSharedAcquire ||
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

// Has the turn found something else there before?
bool finds_another(std::span<const Look> looks, const Operation& op) {
  return std::any_of(looks.begin(), looks.end(),
                     [&](const Look& x) { return x.object == op.object && x.found != op.before; });
}

// The turn in vain that the step belongs to, if any. Those can be struck out, all of them: two threads that look under one
// lock in turn have changed nothing for each other.
const IdleTurn* turn_of(const Execution& execution, EventIndex i) {
  const auto turn = std::find_if(
      execution.idle_turns.begin(), execution.idle_turns.end(),
      [&](const IdleTurn& x) { return x.thread == execution.steps[i].thread && x.first <= i; });
  return turn == execution.idle_turns.end() ? nullptr : &*turn;
}

EventIndex last_step(std::span<const Step> steps, ThreadId t) {
  EventIndex i = static_cast<EventIndex>(steps.size()) - 1;
  while (steps[i].thread != t) --i;
  return i;
}

// Does step i, of another thread, keep the turn from being struck out? Not if it is of a turn in vain that has ended with
// a look at the same object: whoever waits for a spin lock finds it taken and looks again. (If that turn went on elsewhere,
// whether it was in vain would not be known in all equivalent executions.)
bool disturbs(const Execution& execution, EventIndex i, const Taken& x) {
  const auto& steps = execution.steps;
  if (steps[i].op.object != x.object) return false;
  if (shares(steps[i].op.kind) && shares(steps[x.first].op.kind)) return false;
  if (turn_of(execution, i) == nullptr) return true;
  const EventIndex last = last_step(steps, steps[i].thread);
  return last > x.last || steps[last].op.object != x.object;
}

// Follows what the turn has taken. False: it has changed by somebody else's doing.
bool follow(Taken& x, const Operation& op, EventIndex i) {
  x.last = i;
  if (effect_of(op) == Effect::kLook) return op.before == x.after;
  x.after = shares(op.kind) ? x.after + state_after(op) - op.before : state_after(op);
  return true;
}

}  // namespace

bool changes_nothing(const Execution& execution, EventIndex first, ThreadId t, std::vector<Look>& looks) {
  const auto& steps = execution.steps;
  looks.clear();
  std::vector<Taken> taken;
  for (EventIndex i = first; i < steps.size(); ++i) {
    if (steps[i].thread != t) continue;
    const Operation& op = steps[i].op;
    const Effect effect = effect_of(op);
    if (effect == Effect::kNone) continue;
    if (effect == Effect::kLasting) return false;
    const auto held = std::find_if(taken.begin(), taken.end(), [&](const Taken& x) { return x.object == op.object; });
    if (held != taken.end()) {
      if (!follow(*held, op, i)) return false;
    } else if (finds_another(looks, op)) {
      return false;
    } else if (effect == Effect::kLook) {
      looks.push_back({op.object, op.before, i});
    } else {
      if (!takes(op.kind)) return false;
      taken.push_back({op.object, op.before, state_after(op), i, i});
    }
  }
  for (const Taken& x : taken) {
    if (x.after != x.before) return false;
    for (EventIndex i = x.first; i <= x.last; ++i)
      if (steps[i].thread != t && disturbs(execution, i, x)) return false;
    looks.push_back({x.object, x.before, x.last});
  }
  return true;
}

namespace {

bool changes_in_passing(const Execution& execution, const IdleTurn& turn, ObjectId object) {
  return std::any_of(execution.steps.begin() + turn.first, execution.steps.end(), [&](const Step& step) {
    return step.thread == turn.thread && step.op.object == object && effect_of(step.op) == Effect::kTransient;
  });
}

// Turns in vain count where they come last, and in the order of threads among themselves: so an execution without them
// counts once. What comes after a step of one and depends on it comes before it in another execution, in which the thread
// looks later.
bool come_last(const Execution& execution) {
  const auto& steps = execution.steps;
  for (const IdleTurn& turn : execution.idle_turns)
    for (EventIndex i = turn.first; i < steps.size(); ++i) {
      if (steps[i].thread != turn.thread) continue;
      for (EventIndex j = i + 1; j < steps.size(); ++j) {
        if (steps[j].thread == turn.thread || !dependent(steps[i], steps[j])) continue;
        if (turn_of(execution, j) == nullptr || steps[j].thread < turn.thread) return false;
      }
    }
  return true;
}

// Might the thread find something else if it looked while another one makes its turn once more? (Where both take it, each
// looks again when the other has it.)
bool might_meet(const Execution& execution, const IdleTurn& mine, std::span<const Look> looks) {
  return std::any_of(looks.begin(), looks.end(), [&](const Look& look) {
    if (changes_in_passing(execution, mine, look.object)) return false;
    return std::any_of(execution.idle_turns.begin(), execution.idle_turns.end(), [&](const IdleTurn& turn) {
      return turn.thread != mine.thread && changes_in_passing(execution, turn, look.object);
    });
  });
}

}  // namespace

Waits judge_waits(const Execution& execution, Search search) {
  if (execution.idle_turns.empty()) return Waits::kNone;
  if (!execution.steps.empty() && execution.steps.back().op.kind == OpKind::kTerminate) return Waits::kVoid;
  if (search == Search::kTurnsRacesRound && !come_last(execution)) return Waits::kVoid;
  std::vector<Look> looks;
  for (const IdleTurn& turn : execution.idle_turns) {
    const bool idle = changes_nothing(execution, turn.first, turn.thread, looks);
    INVARIANT(idle);
    if (might_meet(execution, turn, looks)) return Waits::kUnknown;
  }
  return Waits::kForEver;
}

bool same_finds(std::span<const Look> a, std::span<const Look> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Look& x, const Look& y) { return x.object == y.object && x.found == y.found; });
}

}  // namespace heddle::trace
