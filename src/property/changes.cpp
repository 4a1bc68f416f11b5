#include "property/changes.h"

#include <algorithm>

namespace heddle::property {

using trace::Execution;
using trace::OpKind;
using trace::Step;

namespace {

// Does the operation tell what it found?
bool finds_value(OpKind kind) {
  return kind == OpKind::kRead || kind == OpKind::kUpdate || kind == OpKind::kCas || kind == OpKind::kCasFailed;
}

// Has its thread nothing to do after it until somebody wakes it?
bool parks(const Step& step) {
  const bool sleeps = step.op.kind == OpKind::kWaitRelease || step.op.kind == OpKind::kSleep;
  return (sleeps && step.op.after != trace::kTimedWait) || waits_at_barrier(step);
}

}  // namespace

void Changes::read(const Execution& execution) {
  execution_ = &execution;
  initial_.assign(atoms_.size(), {});
  changes_.clear();
  deadlocked_ = execution.outcome == trace::Outcome::kDeadlock;
  for (std::uint32_t a = 0; a < atoms_.size(); ++a) {
    switch (atoms_[a].kind) {
      case AtomKind::kValue:
        read_value(a);
        break;
      case AtomKind::kLocked:
      case AtomKind::kHeldBy:
        read_lock(a);
        break;
      case AtomKind::kAt:
      case AtomKind::kEnded:
        read_thread(a);
        break;
      case AtomKind::kDeadlock:
        break;
    }
  }
  std::stable_sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) { return a.step < b.step; });
}

void Changes::change(EventIndex step, std::uint32_t atom, AtomValue to, AtomValue& now) {
  if (to == now) return;
  now = to;
  changes_.push_back({step, atom, to});
}

void Changes::read_value(std::uint32_t a) {
  const Atom& atom = atoms_[a];
  initial_[a].value = narrowed(atom.initial, atom.type);
  AtomValue now = initial_[a];
  const auto& terms = execution_->written_terms;
  std::size_t next = 0;
  for (EventIndex i = 0; i < execution_->steps.size(); ++i) {
    const Step& step = execution_->steps[i];
    while (next < terms.size() && terms[next].step < i) ++next;
    if (step.op.object != atom.object) continue;
    if (finds_value(step.op.kind) && narrowed(step.op.before, atom.type) != now.value) unseen_ = true;
    if (step.op.kind != OpKind::kWrite && step.op.kind != OpKind::kUpdate && step.op.kind != OpKind::kCas) continue;
    AtomValue to{narrowed(step.op.after, atom.type), {}};
    if (next < terms.size() && terms[next].step == i) to.term = symbolic::TermId(terms[next].term);
    change(i, a, to, now);
  }
}

// Several readers may hold a lock together.
void Changes::read_lock(std::uint32_t a) {
  const Atom& atom = atoms_[a];
  AtomValue now;
  std::uint64_t holders = 0;
  for (EventIndex i = 0; i < execution_->steps.size(); ++i) {
    const Step& step = execution_->steps[i];
    if (step.op.object != atom.object) continue;
    if (atom.kind == AtomKind::kHeldBy && step.thread != atom.thread) continue;
    if (takes_lock(step.op.kind))
      ++holders;
    else if (!gives_lock(step.op.kind))
      continue;
    else if (holders > 0)
      --holders;
    change(i, a, {holders > 0 ? 1u : 0u, {}}, now);
  }
}

AtomValue Changes::standing_at(const Atom& atom, std::uint32_t where) const {
  if (atom.kind == AtomKind::kEnded) return {};
  return {stands_in(atom, locator_ ? locator_(where) : where) ? 1u : 0u, {}};
}

// It has nothing to do until somebody wakes it.
bool Changes::parked(ThreadId t, EventIndex last) const {
  if (last == kNoEvent) return false;
  if (!parks(execution_->steps[last])) return false;
  for (EventIndex i = last + 1; i < execution_->steps.size(); ++i)
    if (woken_by(execution_->steps[i]).contains(t)) return false;
  return true;
}

// After the thread's last step; kNoEvent: it has made none.
AtomValue Changes::in_the_end(const Atom& atom, EventIndex last) const {
  const ThreadId t = atom.thread;
  for (const trace::Pending& pending : execution_->pending)
    if (pending.step.thread == t) return standing_at(atom, pending.step.where);
  if (execution_->stopped.contains(t)) {
    // A turn in vain has left it where the turn began.
    for (const trace::IdleTurn& turn : execution_->idle_turns)
      if (turn.thread == t)
        for (EventIndex i = turn.first; i < execution_->steps.size(); ++i)
          if (execution_->steps[i].thread == t) return standing_at(atom, execution_->steps[i].where);
    for (const trace::Failure& failure : execution_->failures)
      if (failure.thread == t) return standing_at(atom, failure.where);
    return {};
  }
  if (parked(t, last)) return standing_at(atom, execution_->steps[last].where);
  return {atom.kind == AtomKind::kEnded ? 1u : 0u, {}};
}

// Between two of its steps a thread is where the second one is; if it has to be woken first, where the first one was
// until then.
void Changes::read_thread(std::uint32_t a) {
  const Atom& atom = atoms_[a];
  AtomValue now;
  bool begun = atom.from_start;
  bool waits = false;
  EventIndex last = kNoEvent;  // its last step, or the one that started or woke it
  EventIndex own = kNoEvent;
  const auto stands = [&](AtomValue value) {
    if (last == kNoEvent)
      initial_[a] = now = value;
    else
      change(last, a, value, now);
  };
  for (EventIndex i = 0; i < execution_->steps.size(); ++i) {
    const Step& step = execution_->steps[i];
    if (step.op.kind == OpKind::kSpawn && step.op.peer == atom.thread) {
      begun = true;
      last = i;
    } else if (waits && woken_by(step).contains(atom.thread)) {
      waits = false;
      last = i;
    }
    if (step.thread != atom.thread) continue;
    stands(standing_at(atom, step.where));
    last = own = i;
    waits = parks(step);
    if (waits) stands(standing_at(atom, step.where));
  }
  if (begun) stands(in_the_end(atom, own));
}

}  // namespace heddle::property
