// The barrier of a script. If more threads use it than it needs, who comes when decides who passes with whom. If not,
// all of them pass together, in every round; nobody does anything between its arrival and the last one's; so nobody can
// tell in which order they come, and one order is enough: that of their numbers. What can be told is who is told to be
// the serial thread, if anybody asks. Then the last one chooses among those who ask, and the others as one.
#include "check/script_program.h"

namespace heddle::check {

using namespace trace;

ThreadSet ScriptProgram::users() const {
  ThreadSet users;
  for (std::size_t t = 0; t < bodies_.size(); ++t)
    for (const Instruction& in : bodies_[t])
      if (in.code == Code::kArrive) users.insert(t);
  return users;
}

void ScriptProgram::announce_arrival(ThreadId t, Step& s) const {
  const Telling telling = threads_[t.index()].telling;
  if (telling == Telling::kChooses) {
    s.op.kind = OpKind::kChoose;
    s.op.after = kTellsWho;
    s.set = to_tell();
    return;
  }
  s.op.object = barrier();
  s.op.kind = in_turn_ ? OpKind::kArriveInTurn : OpKind::kArrive;
  if (!in_turn_) return;
  users().for_each_thread([&](ThreadId before) { s.op.after += before < t; });
  if (telling == Telling::kOpens) s.op.after = static_cast<std::uint64_t>(script_.needed);
  s.op.before = s.op.after;  // its turn, also if it never comes
}

// Those who ask, and one that stands for all others.
ThreadSet ScriptProgram::to_tell() const {
  const ThreadSet others = users() - lookers_;
  return others.empty() ? lookers_ : lookers_ | ThreadSet::of(others.first());
}

void ScriptProgram::note_arrival(ThreadId t, bool looks) {
  arrivals_.push_back({conductor_.position(), t, round_, looks, false});
  if (looks) lookers_.insert(t);
}

void ScriptProgram::open_barrier(ThreadId t, Step& s, ThreadId told) {
  s.set = at_barrier_;
  lookers_.for_each_thread([&](ThreadId looker) {
    threads_[looker.index()].r = looker == told;
    threads_[looker.index()].from_input = false;
  });
  for (Arrival& arrival : arrivals_)
    if (arrival.round == round_) arrival.told = arrival.thread == told;
  at_barrier_ = lookers_ = {};
  turn_ = 0;
  ++round_;
  threads_[t.index()].telling = Telling::kNo;
}

bool ScriptProgram::perform_arrival(ThreadId t, const Instruction& in, Step& s) {
  Thread& thread = threads_[t.index()];
  const auto needed = static_cast<std::uint64_t>(script_.needed);
  if (thread.telling == Telling::kChooses) {
    told_ = ThreadId(s.choice);
    thread.telling = Telling::kOpens;
    return false;
  }
  if (thread.telling == Telling::kNo) note_arrival(t, in.a == 1);
  s.op.before = in_turn_ ? turn_ : 0;
  const bool last = ++turn_ >= needed;
  s.op.after = in_turn_ ? turn_ : needed - turn_;
  if (!last) {
    thread.arrived = true;
    at_barrier_.insert(t);
  } else if (in_turn_ && !lookers_.empty() && thread.telling == Telling::kNo) {
    thread.telling = Telling::kChooses;
    s.set = ThreadSet::of(t.index());
    return false;
  } else {
    open_barrier(t, s, in_turn_ ? told_ : t);
    s.op.after = 0;
  }
  return true;
}

}  // namespace heddle::check
