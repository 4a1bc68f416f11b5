#include "explore/pattern.h"

#include <map>

#include "trace/dependence.h"

namespace heddle::explore {
namespace {

bool on_memory(const Step& step) { return step.op.kind <= OpKind::kCasFailed; }
bool reads(const Step& step) { return on_memory(step) && step.op.kind != OpKind::kWrite; }
bool writes(const Step& step) { return on_memory(step) && access_of(step.op.kind) == Access::kWrites; }
bool acquires(const Step& step) {
  return step.op.kind == OpKind::kAcquire || step.op.kind == OpKind::kSharedAcquire ||
         step.op.kind == OpKind::kTryAcquire || step.op.kind == OpKind::kSharedTry;
}
bool releases(const Step& step) {
  return step.op.kind == OpKind::kRelease || step.op.kind == OpKind::kSharedRelease ||
         step.op.kind == OpKind::kWaitRelease;
}

class Classifier {
 public:
  Classifier(const Execution& execution, const Failure& failure, Explanation& out)
      : execution_(execution), failure_(failure), out_(out) {}

  void run() {
    if (failure_.kind == FailureKind::kDeadlock) {
      if (!lock_order()) lost_wakeup();
      return;
    }
    if (failure_.kind == FailureKind::kUseAfterFree) {
      // Without a good order to compare with it is freed too early in any case.
      if (out_.second != kNoEvent) out_.pattern = Pattern::kUseAfterFree;
      return;
    }
    if (!out_.has_pair() || out_.second == kNoEvent) return;
    if (!torn_unit(out_.second, out_.first) && !torn_check()) outdated_check();
  }

 private:
  EventIndex end() const { return static_cast<EventIndex>(execution_.steps.size()); }
  const Step& at(EventIndex i) const { return *step_at(execution_, i); }

  // Threads that wait for locks of each other in a circle.
  bool lock_order() const {
    std::map<ObjectId, ThreadId> holder;
    for (const Step& step : execution_.steps) {
      if (acquires(step)) holder[step.op.object] = step.thread;
      if (releases(step)) holder.erase(step.op.object);
    }
    std::map<ThreadId, ThreadId> waits_for;
    for (const Pending& pending : execution_.pending) {
      const auto held = holder.find(pending.step.op.object);
      if (!pending.enabled && acquires(pending.step) && held != holder.end() && held->second != pending.step.thread)
        waits_for[pending.step.thread] = held->second;
    }
    for (const auto& [thread, first] : waits_for) {
      ThreadId next = first;
      for (std::size_t i = 0; i < waits_for.size() && next != thread; ++i) {
        const auto found = waits_for.find(next);
        if (found == waits_for.end()) break;
        next = found->second;
      }
      if (next != thread) continue;
      out_.pattern = Pattern::kLockOrder;
      return true;
    }
    return false;
  }

  // A thread waits for ever on a condition variable that had been signalled before, when it was not waiting yet.
  void lost_wakeup() const {
    for (EventIndex w = end(); w-- > 0;) {
      const Step& wait = at(w);
      const bool waits = wait.op.kind == OpKind::kWait || wait.op.kind == OpKind::kSleep;
      if (!waits || woken_after(w)) continue;
      for (EventIndex s = w; s-- > 0;) {
        const Step& signal = at(s);
        const bool signals = signal.op.kind == OpKind::kSignal || signal.op.kind == OpKind::kBroadcast;
        if (!signals || signal.op.object != wait.op.object || signal.thread == wait.thread) continue;
        if (!woken_by(signal).empty()) continue;
        out_.pattern = Pattern::kLostWakeup;
        out_.check = s;
        out_.act = w;
        return;
      }
    }
  }

  bool woken_after(EventIndex w) const {
    for (EventIndex i = w + 1; i < end(); ++i) {
      if (woken_by(at(i)).contains(at(w).thread)) return true;
      if (at(i).thread == at(w).thread && at(i).op.kind != OpKind::kWaitRelease) return true;  // timed out
    }
    return false;
  }

  // `act` belongs together with an earlier step of its thread on the same object, and `between` comes in between.
  bool torn_unit(EventIndex act, EventIndex between) const {
    const Step& last = at(act);
    EventIndex check = kNoEvent;
    for (EventIndex i = between; i-- > 0 && check == kNoEvent;) {
      const Step& step = at(i);
      if (step.thread != last.thread || step.op.object != last.op.object) continue;
      if (reads(step) || acquires(step)) check = i;
    }
    if (check == kNoEvent) return false;
    if (on_memory(last)) {
      if (!changed_between(check, act)) return false;
      if (last.op.kind == OpKind::kCas && at(check).op.before == last.op.before)
        out_.pattern = Pattern::kAba;
      else if (last.op.kind == OpKind::kWrite && last_read_before(act) == check)
        out_.pattern = Pattern::kLostUpdate;
      else
        out_.pattern = Pattern::kCheckThenAct;
    } else if (acquires(last)) {
      // Two critical sections where one was meant.
      out_.pattern = Pattern::kCheckThenAct;
    } else {
      return false;
    }
    out_.check = check;
    out_.act = act;
    return true;
  }

  // The pair is a read and a write that makes it outdated; the reader goes on as if it were not.
  bool torn_check() const {
    const Step& first = at(out_.first);
    const Step& second = at(out_.second);
    if (!reads(first) || !writes(second)) return false;
    for (EventIndex i = out_.second + 1; i < end(); ++i) {
      const Step& step = at(i);
      if (step.thread != first.thread) continue;
      if (step.op.object == first.op.object && reads(step)) return false;  // looked again
      if (!on_memory(step) && !acquires(step)) return false;               // waits for others: it has acted before
      if (torn_unit(i, out_.second)) return true;
      out_.pattern = Pattern::kCheckThenAct;
      out_.check = out_.first;
      out_.act = i;
      return true;
    }
    return false;
  }

  // The second step rests upon an earlier read of its thread, of another object, which the first one's thread has
  // written since.
  void outdated_check() const {
    const ThreadId writer = at(out_.first).thread, reader = at(out_.second).thread;
    if (!writes(at(out_.second))) return;
    for (EventIndex i = out_.second; i-- > 0;) {
      if (at(i).thread != reader || !reads(at(i))) continue;
      for (EventIndex k = i + 1; k < out_.second; ++k) {
        if (at(k).thread != writer || at(k).op.object != at(i).op.object || !writes(at(k))) continue;
        out_.pattern = Pattern::kCheckThenAct;
        out_.check = i;
        out_.act = out_.second;
        return;
      }
    }
  }

  // Does another thread write the object of `from` between the two?
  bool changed_between(EventIndex from, EventIndex to) const {
    for (EventIndex i = from + 1; i < to && i < end(); ++i)
      if (at(i).thread != at(from).thread && at(i).op.object == at(from).op.object && writes(at(i))) return true;
    return false;
  }

  EventIndex last_read_before(EventIndex write) const {
    for (EventIndex i = std::min(write, end()); i-- > 0;)
      if (at(i).thread == at(write).thread && at(i).op.object == at(write).op.object && reads(at(i))) return i;
    return kNoEvent;
  }

  const Execution& execution_;
  const Failure& failure_;
  Explanation& out_;
};

}  // namespace

const char* name_of(Pattern pattern) {
  switch (pattern) {
    case Pattern::kNone:
      return "";
    case Pattern::kLostUpdate:
      return "lost update";
    case Pattern::kCheckThenAct:
      return "check-then-act";
    case Pattern::kLostWakeup:
      return "lost wake-up";
    case Pattern::kLockOrder:
      return "lock-order inversion";
    case Pattern::kUseAfterFree:
      return "use after free by publication";
    case Pattern::kUseAfterScope:
      return "use after scope";
    case Pattern::kAba:
      return "ABA";
  }
  return "";
}

void classify(const Execution& execution, const Failure& failure, Explanation& explanation) {
  Classifier(execution, failure, explanation).run();
}

}  // namespace heddle::explore
