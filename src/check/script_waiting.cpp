// Waiting loops of scripts. As a program under test a script stops threads as the front ends do (trace/turn.h). For
// brute force it judges turns by what they are defined to be: an execution is void if a turn can be struck out of it,
// so that all other steps can be run nevertheless, find what they found, and lead to the same state; unless the turn
// has found different things in one object. A thread waits if its next turn would be such a one, and where all that
// could go on do, the execution is over. (Or they go on, and block each other in the middle of their turns: that is an
// execution, too.)
#include <algorithm>
#include <map>

#include "check/script_program.h"
#include "trace/turn.h"

namespace heddle::check {

using namespace trace;

void ScriptProgram::compile_waiting(const Stmt& s, Body& body, int& joins) {
  const auto here = [&] { return static_cast<int>(body.size()); };
  const auto head = [&] {
    body.push_back({Code::kHead});
    return here() - 1;
  };
  const auto spin_for = [&](int x) {
    const int again = head();
    body.push_back({Code::kTakeSpinning, x, again});
  };
  const int first = here();
  switch (s.kind) {
    case StmtKind::kAwait:
    case StmtKind::kAwaitEither: {
      head();
      const int behind = first + (s.kind == StmtKind::kAwait ? 3 : 4);
      body.push_back({Code::kLook, s.a, s.b, behind});
      if (s.kind == StmtKind::kAwaitEither) body.push_back({Code::kLook, s.c, s.b, behind});
      body.push_back({Code::kJump, first});
      break;
    }
    case StmtKind::kRetry:
      head();
      body.push_back({Code::kRead, s.a});
      body.push_back({Code::kReplace, s.a, first, s.b});
      break;
    case StmtKind::kPollLocked:
    case StmtKind::kPollTried:
      head();
      if (s.kind == StmtKind::kPollTried)
        body.push_back({Code::kTryLock, s.c, first});
      else
        body.push_back({Code::kLock, s.c});
      body.push_back({Code::kRead, s.a});
      body.push_back({Code::kUnlock, s.c});
      body.push_back({Code::kJumpUnless, s.b, first});
      break;
    case StmtKind::kPollSpun:
      head();
      spin_for(s.c);
      body.push_back({Code::kRead, s.a});
      body.push_back({Code::kWrite, s.c, 0});
      body.push_back({Code::kJumpUnless, s.b, first});
      break;
    case StmtKind::kPollJoint:
    case StmtKind::kPollHanded: {
      const bool handed = s.kind == StmtKind::kPollHanded;
      head();
      body.push_back({Code::kLock, s.c});
      body.push_back({Code::kLock, 1 - s.c});
      if (handed) body.push_back({Code::kUnlock, s.c});
      body.push_back({Code::kRead, s.a});
      body.push_back({Code::kUnlock, 1 - s.c});
      if (!handed) body.push_back({Code::kUnlock, s.c});
      body.push_back({Code::kJumpUnless, s.b, first});
      break;
    }
    case StmtKind::kPollTimed: {
      body.push_back({Code::kLock, s.c});
      body.push_back({Code::kLook, s.a, s.b, first + 4});
      body.push_back({Code::kTimedWait, 0, s.c, kInLoop});
      body.push_back({Code::kJump, first + 1});
      body.push_back({Code::kUnlock, s.c});
      break;
    }
    case StmtKind::kPollQueued:
      head();
      body.push_back({Code::kLock, s.c});
      body.push_back({Code::kLook, s.a, s.b, first + 6});
      body.push_back({Code::kTimedWait, 0, s.c});
      body.push_back({Code::kUnlock, s.c});
      body.push_back({Code::kJump, first});
      body.push_back({Code::kUnlock, s.c});
      break;
    default:  // kSpun
      spin_for(s.a);
      compile_into(s.body, body, joins);
      body.push_back({Code::kWrite, s.a, 0});
      break;
  }
}

// The thread has come to the head of a loop. False: it has made a turn in vain, and does not go on.
bool ScriptProgram::begin_turn(ThreadId t) {
  Thread& thread = threads_[t.index()];
  auto& turns = thread.turns;
  const auto known = std::find_if(turns.begin(), turns.end(), [&](const Thread::Turn& x) { return x.pc == thread.pc; });
  if (known == turns.end()) {
    turns.push_back({thread.pc, conductor_.position(), thread.steps});
    return true;
  }
  turns.erase(known + 1, turns.end());  // loops inside this one
  if (t == watched_ && turns.back().own <= watched_from_ && thread.steps > watched_from_) came_back_ = true;
  const EventIndex first = turns.back().first;
  turns.back() = {thread.pc, conductor_.position(), thread.steps};
  std::vector<Look> looks;
  if (waiting_ == Waiting::kStruckOut && in_vain(t, first)) {
    void_ = true;
  } else if (waiting_ == Waiting::kStopped) {
    if (changes_nothing(*execution_, first, t, looks)) {
      thread.awaits = true;
      execution_->stopped.insert(t);
      execution_->idle_turns.push_back({t, first});
    } else {
      note_round_trip(*execution_, first, t);
    }
  }
  return !void_ && !thread.awaits;
}

ScriptProgram& ScriptProgram::twin() {
  if (!twin_)
    twin_ = std::make_unique<ScriptProgram>(script_, Waiting::kIgnored,
                                            in_turn_ ? Arrivals::kInTurn : Arrivals::kAsTheyCome);
  twin_->most_steps_ = ~std::size_t{0};
  twin_->watched_ = kNoThread;
  return *twin_;
}

std::vector<std::uint64_t> ScriptProgram::shared_state() const {
  std::vector<std::uint64_t> state{count_, read_write_};
  for (const int value : values_) state.push_back(static_cast<std::uint32_t>(value));
  for (const ThreadId owner : owners_) state.push_back(owner.value);
  for (const ThreadSet& set : waiters_) set.for_each([&](std::size_t t) { state.push_back(t); });
  at_barrier_.for_each([&](std::size_t t) { state.push_back(t); });
  state.push_back(turn_);
  return state;
}

// The steps of t since `first`, struck out: does everything else happen as it did?
bool ScriptProgram::in_vain(ThreadId t, EventIndex first) {
  if (finds_changes(t, first)) return false;
  Schedule rest;
  std::vector<Step> expected;
  for (EventIndex i = 0; i < execution_->steps.size(); ++i) {
    const Step& step = execution_->steps[i];
    if (step.thread == t && i >= first) continue;
    rest.steps.push_back({step.thread, step.choice});
    expected.push_back(step);
  }
  ScriptProgram& other = twin();
  other.most_steps_ = expected.size();
  Execution execution;
  other.run(rest, execution);
  const auto same = [](const Step& a, const Step& b) { return a.op == b.op && a.set == b.set; };
  return std::equal(execution.steps.begin(), execution.steps.end(), expected.begin(), expected.end(), same) &&
         other.shared_state() == shared_state();
}

// Has the turn found something in an object that is neither what it found before nor what it left there?
bool ScriptProgram::finds_changes(ThreadId t, EventIndex first) const {
  std::map<ObjectId, std::uint64_t> left;
  for (EventIndex i = first; i < execution_->steps.size(); ++i) {
    const Step& step = execution_->steps[i];
    if (step.thread != t || step.op.object.index() >= values_.size()) continue;
    const auto known = left.find(step.op.object);
    if (known != left.end() && known->second != step.op.before) return true;
    left[step.op.object] = step.op.kind == OpKind::kCasFailed ? step.op.before : step.op.after;
  }
  return false;
}

// Does the thread stand at the head of a loop, and would it come back there and have changed nothing?
bool ScriptProgram::waits(ThreadId t) {
  const Thread& thread = threads_[t.index()];
  if (thread.turns.empty() || thread.turns.back().own != thread.steps) return false;
  constexpr std::size_t kLongestTurn = 8;
  Schedule alone;
  for (const Step& step : execution_->steps) alone.steps.push_back({step.thread, step.choice});
  alone.steps.insert(alone.steps.end(), kLongestTurn, {t, kAnyChoice});
  ScriptProgram& other = twin();
  other.most_steps_ = alone.steps.size();
  other.watched_ = t;
  other.watched_from_ = thread.steps;
  Execution execution;
  other.run(alone, execution);
  return other.came_back_ && other.shared_state() == shared_state();
}

bool ScriptProgram::everybody_waits(ThreadSet enabled) {
  bool all = true;
  enabled.for_each_thread([&](ThreadId t) { all = all && waits(t); });
  return all;
}

Execution ScriptProgram::without_idle_turns() const {
  Execution rest = *execution_;
  rest.steps.clear();
  for (EventIndex i = 0; i < execution_->steps.size(); ++i) {
    const Step& step = execution_->steps[i];
    const auto of_turn = [&](const IdleTurn& turn) { return turn.thread == step.thread && turn.first <= i; };
    if (std::none_of(rest.idle_turns.begin(), rest.idle_turns.end(), of_turn)) rest.steps.push_back(step);
  }
  return rest;
}

}  // namespace heddle::check
