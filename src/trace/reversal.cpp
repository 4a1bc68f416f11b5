#include "trace/reversal.h"

#include "trace/dependence.h"
#include "trace/object.h"

namespace heddle::trace {
namespace {

// The operation as it was announced, and what it compares with, if it does.
struct Announced {
  OpKind kind;
  std::uint64_t expected;
};

Announced announced(const Operation& op) {
  const OpKind kind = undecided(op.kind);
  return {kind, kind == op.kind ? op.before : op.after};
}

void turn_attempt(Operation& op, std::uint64_t found) {
  const Announced attempt = announced(op);
  const OpKind outcome = *outcome_at(attempt.kind, found, attempt.expected);
  if (outcome == op.kind) return;
  if (compares(attempt.kind)) op.after = outcome == OpKind::kSleep ? 0 : attempt.expected;
  op.kind = outcome;
}

}  // namespace

void turn_to_first(Step& second, const Step& first) {
  if (first.op.object != second.op.object || first.op.object == kNoObject) return;
  Operation& op = second.op;
  const std::uint64_t found = first.op.before;
  if (is_attempt(undecided(op.kind))) {
    // A word that the first one only looked at may have been written by others before the second one compares.
    if (!compares(undecided(op.kind)) || access_of(first.op.kind) == Access::kWrites) turn_attempt(op, found);
  } else if (op.kind == OpKind::kSignal) {
    second.set = queue_before(first, second.set);
    if (second.set.empty())
      second.choice = 0;
    else if (!second.set.contains(second.choice))
      second.choice = static_cast<std::uint16_t>(second.set.first());
  } else if (op.kind == OpKind::kBroadcast) {
    second.set = queue_before(first, second.set);
  } else if (op.kind == OpKind::kArrive) {
    second.set = first.set;  // it takes first's place among the arrivals
  }
  op.before = found;
}

Step as_if_last(const Pending& pending) {
  Step step = pending.step;
  if (!pending.enabled || !is_attempt(step.op.kind)) return step;
  if (pending.found)
    settle(step.op, *pending.found, step.op.kind == OpKind::kSleep ? 0 : step.op.after);
  else
    step.op.kind = OpKind::kUpdate;
  return step;
}

}  // namespace heddle::trace
