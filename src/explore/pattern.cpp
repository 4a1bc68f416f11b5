#include "explore/pattern.h"

#include <algorithm>
#include <map>

#include "trace/dependence.h"

namespace heddle::explore {
namespace {

bool reads(const Step& step) { return on_memory(step.op.kind) && step.op.kind != OpKind::kWrite; }
bool writes(const Step& step) { return on_memory(step.op.kind) && access_of(step.op.kind) == Access::kWrites; }
bool acquires(const Step& step) { return takes_lock(step.op.kind); }
bool releases(const Step& step) { return gives_lock(step.op.kind); }

class Classifier {
 public:
  Classifier(const Execution& execution, const Failure& failure, Explanation& out)
      : execution_(execution), failure_(failure), out_(out) {}

  void run() {
    if (failure_.kind == FailureKind::kDeadlock) {
      if (!upgrade() && !lock_order() && !waits_with_lock()) waits_for_ever();
      return;
    }
    if (failure_.kind == FailureKind::kDataRace) {
      publication();
      if (out_.pattern == Pattern::kNone) taken_away();
      return;
    }
    if (failure_.kind == FailureKind::kUseAfterFree) {
      // Without a good order to compare with it is freed too early in any case.
      if (out_.second == kNoEvent) return;
      out_.pattern = Pattern::kUseAfterFree;
      if (out_.has_pair() && at(out_.first).thread != failure_.thread) joined_too_late(out_.first, failure_.thread);
      return;
    }
    if (!out_.has_pair() || out_.second == kNoEvent) return;
    if (failure_.kind == FailureKind::kCrash) taken_away();
    if (out_.pattern != Pattern::kNone) return;
    if (!bare_wait() && !torn_unit(out_.second, out_.first) && !torn_check()) outdated_check();
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

  // A thread waits for something else than a lock, and holds the one that another thread waits for.
  bool waits_with_lock() const {
    for (const Pending& pending : execution_.pending) {
      if (pending.enabled || !acquires(pending.step)) continue;
      const EventIndex taken = held_since(pending.step.op.object);
      if (taken == kNoEvent || at(taken).thread == pending.step.thread) continue;
      const EventIndex wait = waits_otherwise(at(taken).thread);
      if (wait == kNoEvent) continue;
      out_.pattern = Pattern::kWaitsWithLock;
      out_.check = taken;
      out_.act = wait;
      return true;
    }
    return false;
  }

  // The step by which its holder has taken it.
  EventIndex held_since(ObjectId lock) const {
    EventIndex since = kNoEvent;
    for (EventIndex i = 0; i < end(); ++i) {
      if (at(i).op.object != lock) continue;
      if (acquires(at(i))) since = i;
      if (releases(at(i))) since = kNoEvent;
    }
    return since;
  }

  EventIndex waits_otherwise(ThreadId thread) const {
    for (EventIndex w = end(); w-- > 0;) {
      if (at(w).thread != thread) continue;
      if ((at(w).op.kind == OpKind::kWait || at(w).op.kind == OpKind::kSleep) && !woken_after(w)) return w;
      break;
    }
    for (std::size_t i = 0; i < execution_.pending.size(); ++i) {
      const Pending& pending = execution_.pending[i];
      if (pending.step.thread == thread && !pending.enabled && !acquires(pending.step))
        return end() + static_cast<EventIndex>(i);
    }
    return kNoEvent;
  }

  // One thread sets a pointer to null that another one uses, and only then waits for that one to end.
  void taken_away() const {
    constexpr std::uint64_t kNoAddress = 4096;
    if (!out_.has_pair() || out_.second == kNoEvent) return;
    for (const auto& [taker, user] : {std::pair(out_.first, out_.second), std::pair(out_.second, out_.first)}) {
      const Step& step = at(taker);
      if (step.op.kind == OpKind::kWrite && step.op.after == 0 && step.op.before > kNoAddress &&
          joined_too_late(taker, at(user).thread))
        return;
    }
  }

  bool joined_too_late(EventIndex taken, ThreadId user) const {
    const EventIndex join = joined_after(execution_, at(taken).thread, user, taken);
    if (join == kNoEvent) return false;
    out_.pattern = Pattern::kShutdown;
    out_.check = taken;
    out_.act = join;
    return true;
  }

  // A thread shares a lock and waits to have it alone.
  bool upgrade() const {
    for (const Pending& pending : execution_.pending) {
      if (pending.enabled || pending.step.op.kind != OpKind::kAcquire) continue;
      EventIndex shared = kNoEvent;
      for (EventIndex i = 0; i < end(); ++i) {
        if (at(i).thread != pending.step.thread || at(i).op.object != pending.step.op.object) continue;
        shared = at(i).op.kind == OpKind::kSharedAcquire || at(i).op.kind == OpKind::kSharedTry ? i : kNoEvent;
      }
      if (shared == kNoEvent) continue;
      out_.pattern = Pattern::kUpgrade;
      out_.check = shared;
      out_.act = end() + static_cast<EventIndex>(&pending - execution_.pending.data());
      return true;
    }
    return false;
  }

  static bool signals(const Step& step) {
    return step.op.kind == OpKind::kSignal || step.op.kind == OpKind::kBroadcast;
  }

  // A thread waits for ever: what became of the signals that others sent?
  void waits_for_ever() const {
    for (EventIndex w = end(); w-- > 0;) {
      const OpKind kind = at(w).op.kind;
      const bool waits = (kind == OpKind::kWait || kind == OpKind::kSleep) && !woken_after(w);
      if (waits && (woke_others(w) || lost_wakeup(w))) return;
    }
    // Who waits for a lock might have been about to signal.
    const auto locked_out = [](const Pending& p) { return !p.enabled && acquires(p.step); };
    if (std::any_of(execution_.pending.begin(), execution_.pending.end(), locked_out)) return;
    for (EventIndex w = end(); w-- > 0;) {
      if (at(w).op.kind != OpKind::kWait || woken_after(w) || signalled(at(w).op.object)) continue;
      out_.pattern = Pattern::kNoSignal;
      out_.act = w;
      return;
    }
  }

  // A signal that came while it waited, and woke somebody else.
  bool woke_others(EventIndex w) const {
    for (EventIndex s = w + 1; s < end(); ++s) {
      if (at(s).op.kind != OpKind::kSignal || at(s).op.object != at(w).op.object || woken_by(at(s)).empty()) continue;
      const ThreadId woken(at(s).choice);
      bool again = false;  // it found that it was not meant
      for (EventIndex i = s + 1; i < end() && !again; ++i)
        again = at(i).thread == woken && at(i).op.kind == OpKind::kWait && at(i).op.object == at(w).op.object;
      out_.pattern = again ? Pattern::kWrongWaiter : Pattern::kTooFewWoken;
      out_.check = s;
      out_.act = w;
      return true;
    }
    return false;
  }

  // The condition variable had been signalled before, when nobody was waiting yet.
  bool lost_wakeup(EventIndex w) const {
    for (EventIndex s = w; s-- > 0;) {
      if (!signals(at(s)) || at(s).op.object != at(w).op.object || at(s).thread == at(w).thread) continue;
      if (!woken_by(at(s)).empty()) continue;
      out_.pattern = Pattern::kLostWakeup;
      out_.check = s;
      out_.act = w;
      return true;
    }
    return false;
  }

  bool signalled(ObjectId object) const {
    for (const Step& step : execution_.steps)
      if (signals(step) && step.op.object == object) return true;
    return false;
  }

  // The failing thread has waited, has its lock again, and went on though somebody had it in between, or though nobody
  // had woken it at all.
  bool bare_wait() const {
    EventIndex lock = kNoEvent;  // taken again after the wait
    for (EventIndex i = end(); i-- > 0;) {
      const Step& step = at(i);
      if (step.thread != failure_.thread) continue;
      if (acquires(step)) lock = i;
      const bool for_no_reason =
          step.op.kind == OpKind::kChoose && step.op.after == kSpuriousWakeUp && step.choice == 1;
      if (step.op.kind != OpKind::kWait && !for_no_reason) continue;
      if (lock == kNoEvent || (!for_no_reason && !taken_between(i, lock))) return false;
      out_.pattern = Pattern::kBareWait;
      out_.check = i;
      out_.act = lock;
      return true;
    }
    return false;
  }

  // Had somebody the lock between the signal that ended the wait and the moment in which its thread had it again?
  bool taken_between(EventIndex wait, EventIndex lock) const {
    bool woken = false;
    for (EventIndex i = wait + 1; i < lock; ++i) {
      if (woken && at(i).thread != at(wait).thread && acquires(at(i)) && at(i).op.object == at(lock).op.object)
        return true;
      woken |= woken_by(at(i)).contains(at(wait).thread);
    }
    return false;
  }

  // What races was handed over from thread to thread by another object, which the second one has read from the first.
  void publication() const {
    if (!out_.has_pair() || out_.second == kNoEvent || !writes(at(out_.first))) return;
    const ThreadId giver = at(out_.first).thread, taker = at(out_.second).thread;
    const bool either_order = !out_.reversed.steps.empty();
    const EventIndex load = step_of(taker, out_.second);
    if (load == kNoEvent || !reads(at(load)) || at(load).op.object == at(out_.first).op.object) return;
    const EventIndex store = last_write_before(load);
    if (store == kNoEvent || at(store).thread != giver) return;
    // Only who has seen it goes there: so it is what was meant to order the two.
    if (store > out_.first && !either_order) out_.pattern = Pattern::kPublication;
    if (store < out_.first && step_of(giver, out_.first) == store && at(store).op.before == 0 &&
        at(store).op.after != 0)
      out_.pattern = Pattern::kTooEarly;
    if (out_.pattern == Pattern::kNone) return;
    out_.check = store;
    out_.act = out_.pattern == Pattern::kTooEarly ? out_.first : load;
  }

  // The thread's last step before this one.
  EventIndex step_of(ThreadId thread, EventIndex before) const {
    for (EventIndex i = before; i-- > 0;)
      if (at(i).thread == thread) return i;
    return kNoEvent;
  }

  EventIndex last_write_before(EventIndex read) const {
    for (EventIndex i = read; i-- > 0;)
      if (at(i).op.object == at(read).op.object && writes(at(i))) return i;
    return kNoEvent;
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
    if (check == kNoEvent || waits_between(check, act)) return false;
    if (on_memory(last.op.kind)) {
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
      if (!on_memory(step.op.kind) && !acquires(step)) return false;       // waits for others: it has acted before
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

  // Has the thread waited in between? Then it is to look again, and what it found before is not what it acts upon.
  bool waits_between(EventIndex from, EventIndex to) const {
    for (EventIndex i = from + 1; i < to && i < end(); ++i)
      if (at(i).thread == at(from).thread && at(i).op.kind == OpKind::kWaitRelease) return true;
    return false;
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
    case Pattern::kBareWait:
      return "wait without a loop";
    case Pattern::kWrongWaiter:
      return "wrong waiter woken";
    case Pattern::kTooFewWoken:
      return "only one waiter woken";
    case Pattern::kNoSignal:
      return "missing notify";
    case Pattern::kUpgrade:
      return "lock upgrade";
    case Pattern::kPublication:
      return "publication without order";
    case Pattern::kTooEarly:
      return "publication before initialisation";
    case Pattern::kWaitsWithLock:
      return "wait with a lock held";
    case Pattern::kShutdown:
      return "shutdown order";
    case Pattern::kInvalidated:
      return "iterator invalidation";
  }
  return "";
}

EventIndex joined_after(const Execution& execution, ThreadId who, ThreadId whom, EventIndex from) {
  const auto joins = [&](const Step& step) {
    return step.thread == who && step.op.kind == OpKind::kJoin && step.op.peer == whom;
  };
  for (EventIndex i = from; i < execution.steps.size() + execution.pending.size(); ++i)
    if (joins(*step_at(execution, i))) return i;
  return kNoEvent;
}

void classify(const Execution& execution, const Failure& failure, Explanation& explanation) {
  Classifier(execution, failure, explanation).run();
}

}  // namespace heddle::explore
