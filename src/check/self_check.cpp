#include "check/self_check.h"

#include <algorithm>
#include <map>

#include "base/assert.h"
#include "check/canonical_form.h"
#include "explore/suspect.h"
#include "trace/happens_before.h"

namespace heddle::check {
namespace {

using namespace trace;

// Who waits has to be woken before it can end and be joined. Steps in this order have no other, so dependence need not
// know of it; but if the thread does nothing more in between, happens-before gets it from nowhere else.
bool lets_end(const Step& a, const Step& join) {
  return join.op.kind == OpKind::kJoin && woken_by(a).contains(join.op.peer);
}

// Dependence, closed transitively, row by row: the definition of happens-before.
std::vector<std::vector<bool>> closure(const Execution& execution) {
  const std::size_t n = execution.steps.size();
  std::vector<std::vector<bool>> before(n, std::vector<bool>(n, false));
  for (std::size_t b = 0; b < n; ++b)
    for (std::size_t a = b; a-- > 0;) {
      const Step& s = execution.steps[a];
      const Step& t = execution.steps[b];
      if (before[a][b] || (!dependent(s, t) && !lets_end(s, t))) continue;
      before[a][b] = true;
      for (std::size_t c = 0; c < a; ++c)
        if (before[c][a]) before[c][b] = true;
    }
  return before;
}

bool agrees_with_closure(const Execution& execution) {
  HappensBefore order;
  for (const Step& s : execution.steps) order.push(s);
  const auto before = closure(execution);
  for (EventIndex b = 0; b < execution.steps.size(); ++b)
    for (EventIndex a = 0; a < b; ++a)
      if (order.before(a, b) != before[a][b]) return false;
  return true;
}

// Told from the steps alone, whatever states they carry: while a lock is held nobody else takes it, and while readers
// hold it no writer does.
bool locks_exclude(const Execution& execution) {
  struct Holders {
    bool writer = false;
    int readers = 0;
  };
  std::map<ObjectId, Holders> locks;
  for (const Step& s : execution.steps) {
    Holders& lock = locks[s.op.object];
    switch (s.op.kind) {
      case OpKind::kAcquire:
      case OpKind::kTryAcquire:
        if (lock.writer || lock.readers > 0) return false;
        lock.writer = true;
        break;
      case OpKind::kSharedAcquire:
      case OpKind::kSharedTry:
        if (lock.writer) return false;
        ++lock.readers;
        break;
      case OpKind::kSharedRelease:
        if (lock.readers-- == 0) return false;
        break;
      case OpKind::kTryFailed:
        if (!lock.writer && lock.readers == 0) return false;
        break;
      case OpKind::kSharedTryFailed:
        if (!lock.writer) return false;
        break;
      default:
        lock = {};
    }
  }
  return true;
}

bool is_a_class(Outcome outcome) {
  return outcome == Outcome::kComplete || outcome == Outcome::kDeadlock || outcome == Outcome::kFailed;
}

bool replays(Program& program, const explore::Finding& finding) {
  Execution execution;
  explore::replay(program, finding.schedule, execution);
  // Where a native thread is that computes without end when its time is over, is a matter of time.
  const bool by_the_clock = finding.failure.kind == FailureKind::kLivelock;
  return std::any_of(execution.failures.begin(), execution.failures.end(), [&](const Failure& f) {
    return f.kind == finding.failure.kind && (by_the_clock || f.where == finding.failure.where) &&
           f.step == finding.failure.step && f.thread == finding.failure.thread && f.message == finding.failure.message;
  });
}

}  // namespace

SelfCheck::SelfCheck(const explore::StrategyOptions& strategy, Locks locks)
    : locks_(locks), each_class_once_(explore::guarantee_of(strategy) == explore::Guarantee::kEveryClassOnce) {
  slow_checks = true;
}

SelfCheck::~SelfCheck() { slow_checks = false; }

void SelfCheck::on_execution(const Execution& execution) {
  INVARIANT(agrees_with_closure(execution));
  INVARIANT(locks_ == Locks::kMadeAnew || locks_exclude(execution));
  if (!is_a_class(execution.outcome)) return;
  const bool is_new = classes_.insert(canonical_form(execution)).second;
  INVARIANT(is_new || !each_class_once_);
}

void SelfCheck::conclude(Program& program, const explore::ExploreResult& result) {
  INVARIANT(result.classes == classes_.size());
  for (const explore::Finding& finding : result.findings) {
    const explore::Suspect suspect(finding.execution);
    INVARIANT(replays(program, finding));
  }
}

}  // namespace heddle::check
