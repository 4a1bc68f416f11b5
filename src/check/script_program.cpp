// What each statement of a script means, once more and on its own (trace/object.h is not asked); longer than most: it
// is compared with that as a whole.
#include "check/script_program.h"

#include <algorithm>

#include "trace/turn.h"

namespace heddle::check {

using namespace trace;

namespace {
std::uint64_t bits(int v) { return static_cast<std::uint32_t>(v); }
}  // namespace

ScriptProgram::ScriptProgram(const Script& script, Waiting waiting, Arrivals arrivals)
    : script_(script), waiting_(waiting) {
  // Spawned bodies follow those of the static threads; reserve so that Body addresses stay put.
  bodies_.reserve(256);
  bodies_.resize(script_.threads.size());
  for (std::size_t t = 0; t < script_.threads.size(); ++t) {
    Body body;
    int joins = 0;
    compile_into(script_.threads[t], body, joins);
    for (int j = 0; j < joins; ++j) body.push_back({Code::kJoin, j});
    body.push_back({Code::kEnd});
    bodies_[t] = std::move(body);
  }
  in_turn_ = arrivals == Arrivals::kInTurn && !more_than_needed();
}

void ScriptProgram::run(const Schedule& schedule, Execution& execution) {
  execution_ = &execution;
  conductor_.begin(schedule, execution);
  threads_.assign(kMaxThreads, {});
  values_.assign(static_cast<std::size_t>(script_.variables), 0);
  from_input_.assign(values_.size(), false);
  branches_.clear();
  infeasible_ = false;
  owners_.assign(static_cast<std::size_t>(script_.locks), kNoThread);
  waiters_.assign(static_cast<std::size_t>(script_.conditions), {});
  count_ = read_write_ = 0;
  at_barrier_ = lookers_ = {};
  turn_ = 0;
  round_ = 0;
  arrivals_.clear();
  exited_ = void_ = came_back_ = false;
  left_waiting_ = 0;
  for (std::size_t t = 0; t < script_.threads.size(); ++t) start(ThreadId(static_cast<std::uint16_t>(t)), t);

  while (true) {
    ThreadSet now;
    for (std::size_t i = 0; i < execution.threads; ++i) {
      const ThreadId t(static_cast<std::uint16_t>(i));
      const Thread& thread = threads_[i];
      if (thread.body == nullptr || thread.ended || thread.wait == Wait::kParked || thread.arrived || thread.awaits)
        continue;
      conductor_.pending(t) = next_step(t);
      if (enabled(t)) now.insert(t);
    }
    all_waited_ = waiting_ == Waiting::kStruckOut && !goes_on_ && !now.empty() && everybody_waits(now);
    if (all_waited_) now = {};
    const bool over = exited_ || void_ || came_back_ || execution.steps.size() == most_steps_;
    const auto decision = over ? std::nullopt : conductor_.decide(now);
    if (!decision) {
      finish(execution, now);
      return;
    }
    if (waiting_ == Waiting::kStruckOut) {
      const ThreadId last = execution.steps.empty() ? decision->thread : execution.steps.back().thread;
      if (last != decision->thread && now.contains(last) && waits(last)) ++left_waiting_;
    }
    perform(*decision);
  }
}

void ScriptProgram::start(ThreadId t, std::size_t body) {
  threads_[t.index()] = {};
  threads_[t.index()].body = &bodies_[body];
  advance(t);
}

// Runs t's local instructions and announces the operation it comes to.
void ScriptProgram::advance(ThreadId t) {
  Thread& thread = threads_[t.index()];
  while (true) {
    const Instruction& in = (*thread.body)[thread.pc];
    const auto branch = [&](bool outcome) {
      if (thread.from_input) branches_[t.value] += outcome ? '1' : '0';
      return outcome;
    };
    if (in.code == Code::kJumpUnless) {
      thread.pc = branch(thread.r == in.a) ? thread.pc + 1 : static_cast<std::size_t>(in.b);
    } else if (in.code == Code::kJumpUnlessLess) {
      thread.pc = branch(thread.r < in.a) ? thread.pc + 1 : static_cast<std::size_t>(in.b);
    } else if (in.code == Code::kInput) {
      const auto given = inputs_.find({t.value, thread.inputs++});
      thread.r = (given == inputs_.end() ? 0 : given->second) & in.a;
      thread.from_input = true;
      ++thread.pc;
    } else if (in.code == Code::kAssume) {
      if (!branch(thread.r != in.a)) {
        infeasible_ = true;
        execution_->unwanted.insert(t);
        execution_->stopped.insert(t);
        thread.ended = thread.failed = true;
        return conductor_.retire(t);
      }
      ++thread.pc;
    } else if (in.code == Code::kAssert) {
      branch(thread.r != in.a);
      if (thread.r == in.a) {
        execution_->failures.push_back({FailureKind::kAssertion, conductor_.position(), t,
                                        static_cast<std::uint32_t>(thread.pc),
                                        "assert(r != " + std::to_string(in.a) + ")"});
        execution_->stopped.insert(t);
        thread.ended = thread.failed = true;
        return conductor_.retire(t);
      }
      ++thread.pc;
    } else if (in.code == Code::kJoin && static_cast<std::size_t>(in.a) >= thread.children.size()) {
      ++thread.pc;  // the spawn was skipped by a branch
    } else if (in.code == Code::kJump) {
      thread.pc = static_cast<std::size_t>(in.a);
    } else if (in.code == Code::kHead) {
      if (!begin_turn(t)) return conductor_.retire(t);
      ++thread.pc;
    } else if (in.code == Code::kEnd) {
      thread.ended = true;
      return conductor_.retire(t);
    } else {
      const bool gave_up = in.code == Code::kTimedWait && in.c == kInLoop && thread.wait == Wait::kWoken &&
                           execution_->steps.back().op.kind == OpKind::kTimeout;
      if (gave_up && !begin_turn(t)) return conductor_.retire(t);
      return conductor_.announce(t, next_step(t));
    }
  }
}

Step ScriptProgram::next_step(ThreadId t) {
  const Thread& thread = threads_[t.index()];
  const Instruction& in = (*thread.body)[thread.pc];
  Step s;
  s.thread = t;
  s.where = static_cast<std::uint32_t>(t.index() * 1000 + thread.pc);
  const auto on = [&](OpKind kind, ObjectId object) {
    s.op.kind = kind;
    s.op.object = object;
  };
  switch (in.code) {
    case Code::kRead:
      on(OpKind::kRead, variable(in.a));
      break;
    case Code::kWrite:
    case Code::kCopy:
      on(OpKind::kWrite, variable(in.a));
      break;
    case Code::kAdd:
      on(OpKind::kUpdate, variable(in.a));
      break;
    case Code::kCas:
      on(OpKind::kCas, variable(in.a));
      s.op.after = bits(in.b);
      break;
    case Code::kLock:
      on(OpKind::kAcquire, lock(in.a));
      break;
    case Code::kUnlock:
      on(OpKind::kRelease, lock(in.a));
      break;
    case Code::kTryLock:
      on(OpKind::kTryAcquire, lock(in.a));
      break;
    case Code::kWait:
    case Code::kTimedWait:
      if (thread.wait == Wait::kNo && script_.spurious && !thread.left_a_wait) {
        s.op.kind = OpKind::kChoose;
        s.set = SmallSet::below(2);
        break;
      }
      if (thread.wait == Wait::kNo || thread.wait == Wait::kStays)
        on(OpKind::kWait, condition(in.a));
      else if (thread.wait == Wait::kLeaves)
        on(OpKind::kRelease, lock(in.b));
      else if (thread.wait == Wait::kRegistered)
        on(OpKind::kWaitRelease, lock(in.b));
      else if (thread.wait == Wait::kTimed)
        on(OpKind::kTimeout, condition(in.a));
      else
        on(OpKind::kAcquire, lock(in.b));
      break;
    case Code::kSignal:
      on(OpKind::kSignal, condition(in.a));
      s.set = waiters_[static_cast<std::size_t>(in.a)];
      break;
    case Code::kBroadcast:
      on(OpKind::kBroadcast, condition(in.a));
      s.set = waiters_[static_cast<std::size_t>(in.a)];
      break;
    case Code::kSpawn:
      s.op.kind = OpKind::kSpawn;
      s.op.peer = ThreadId(static_cast<std::uint16_t>(in.a));  // there are no loops: each body runs once
      break;
    case Code::kJoin:
      s.op.kind = OpKind::kJoin;
      s.op.peer = thread.children[static_cast<std::size_t>(in.a)];
      break;
    case Code::kChoose:
      s.op.kind = OpKind::kChoose;
      s.set = SmallSet::below(static_cast<std::size_t>(in.a));
      break;
    case Code::kSemWait:
      on(OpKind::kSemWait, semaphore());
      break;
    case Code::kSemTry:
      on(OpKind::kSemTry, semaphore());
      break;
    case Code::kSemPost:
      on(OpKind::kSemPost, semaphore());
      break;
    case Code::kArrive:
      announce_arrival(t, s);
      break;
    case Code::kLockShared:
      on(OpKind::kSharedAcquire, read_write_lock());
      break;
    case Code::kUnlockShared:
      on(OpKind::kSharedRelease, read_write_lock());
      break;
    case Code::kLockWhole:
      on(OpKind::kAcquire, read_write_lock());
      break;
    case Code::kUnlockWhole:
      on(OpKind::kRelease, read_write_lock());
      break;
    case Code::kTryShared:
      on(OpKind::kSharedTry, read_write_lock());
      break;
    case Code::kTryWhole:
      on(OpKind::kTryAcquire, read_write_lock());
      break;
    case Code::kExit:
      s.op.kind = OpKind::kTerminate;
      break;
    case Code::kLook:
      on(OpKind::kRead, variable(in.a));
      break;
    case Code::kTakeSpinning:
    case Code::kReplace:
      on(OpKind::kCas, variable(in.a));
      s.op.after = in.code == Code::kReplace ? bits(thread.r) : 0;
      break;
    case Code::kJumpUnless:
    case Code::kAssert:
    case Code::kEnd:
    case Code::kHead:
    case Code::kJump:
    case Code::kInput:
    case Code::kJumpUnlessLess:
    case Code::kAssume:
      break;
  }
  return s;
}

std::uint64_t ScriptProgram::state_of(ObjectId object) const {
  if (object == semaphore()) return count_;
  if (object == read_write_lock()) return read_write_;
  const auto variables = static_cast<std::size_t>(script_.variables);
  if (object.index() < variables) return bits(values_[object.index()]);
  return owners_[object.index() - variables] == kNoThread ? kLockFree : kHeldExclusively;
}

bool ScriptProgram::enabled(ThreadId t) {
  const Step& s = conductor_.pending(t);
  if (s.op.object == read_write_lock() && s.op.kind == OpKind::kAcquire) return read_write_ == kLockFree;
  if (s.op.object == read_write_lock() && s.op.kind == OpKind::kSharedAcquire) return read_write_ != kHeldExclusively;
  if (s.op.object == read_write_lock()) return true;
  if (s.op.object == semaphore()) return s.op.kind != OpKind::kSemWait || count_ > 0;
  if (s.op.kind == OpKind::kAcquire)
    return owners_[s.op.object.index() - static_cast<std::size_t>(script_.variables)] == kNoThread;
  if (s.op.kind == OpKind::kArriveInTurn) return turn_ == s.op.after;
  if (s.op.kind == OpKind::kJoin) return threads_[s.op.peer.index()].ended && !threads_[s.op.peer.index()].failed;
  return true;
}

void ScriptProgram::perform(const Decision& decision) {
  const ThreadId t = decision.thread;
  Thread& thread = threads_[t.index()];
  const Instruction in = (*thread.body)[thread.pc];
  Step s = conductor_.pending(t);
  s.choice = decision.choice;
  const auto memory = [&](int after) {
    int& value = values_[static_cast<std::size_t>(in.a)];
    s.op.before = bits(value);
    s.op.after = bits(after);
    value = after;
  };
  const auto take = [&](int m, bool acquire) {
    ThreadId& owner = owners_[static_cast<std::size_t>(m)];
    s.op.before = owner == kNoThread ? kLockFree : kHeldExclusively;
    owner = acquire ? t : kNoThread;
  };
  const auto value = [&] { return values_[static_cast<std::size_t>(in.a)]; };
  const auto tainted = [&]() -> decltype(from_input_)::reference {
    return from_input_[static_cast<std::size_t>(in.a)];
  };
  std::size_t next_pc = thread.pc + 1;
  bool failed = false;
  switch (in.code) {
    case Code::kRead:
      thread.r = value();
      memory(value());
      thread.from_input = tainted();
      break;
    case Code::kWrite:
      memory(in.b);
      tainted() = false;
      break;
    case Code::kCopy:
      memory(thread.r + in.b);
      tainted() = thread.from_input;
      break;
    case Code::kAdd:
      thread.r = value();
      memory(value() + in.b);
      thread.from_input = tainted();
      break;
    case Code::kCas:
      thread.from_input = false;  // scripts with inputs have no compare-and-swap
      if (value() == in.b) {
        memory(in.c);
        thread.r = 1;
      } else {
        s.op.kind = OpKind::kCasFailed;
        s.op.before = bits(value());
        s.op.after = bits(in.b);
        thread.r = 0;
      }
      break;
    case Code::kLock:
      take(in.a, true);
      break;
    case Code::kUnlock:
      failed = owners_[static_cast<std::size_t>(in.a)] != t;
      take(in.a, false);
      break;
    case Code::kTryLock:
      if (owners_[static_cast<std::size_t>(in.a)] == kNoThread) {
        take(in.a, true);
      } else {
        s.op.kind = OpKind::kTryFailed;
        s.op.before = kHeldExclusively;
        next_pc = static_cast<std::size_t>(in.b);
      }
      break;
    case Code::kWait:
    case Code::kTimedWait:
      if (s.op.kind == OpKind::kWaitRelease || s.op.kind == OpKind::kRelease || s.op.kind == OpKind::kAcquire)
        take(in.b, s.op.kind == OpKind::kAcquire);
      if (s.op.kind != OpKind::kAcquire) next_pc = thread.pc;
      perform_waiting(t, in, s);
      break;
    case Code::kSignal:
      if (!s.set.empty()) waiters_[static_cast<std::size_t>(in.a)].erase(decision.choice);
      break;
    case Code::kBroadcast:
      waiters_[static_cast<std::size_t>(in.a)] = {};
      break;
    case Code::kChoose:
      thread.r = decision.choice;
      thread.from_input = false;
      break;
    case Code::kArrive:
      if (!perform_arrival(t, in, s)) next_pc = thread.pc;
      break;
    case Code::kSemWait:
    case Code::kSemTry:
    case Code::kSemPost:
    case Code::kLockShared:
    case Code::kUnlockShared:
    case Code::kLockWhole:
    case Code::kUnlockWhole:
      perform_counting(t, in, s);
      break;
    case Code::kTryShared:
    case Code::kTryWhole:
      if (!try_read_write(in, s)) next_pc = static_cast<std::size_t>(in.b);
      break;
    case Code::kExit:
      exited_ = true;
      break;
    case Code::kLook:
      memory(value());
      if (value() == in.b) next_pc = static_cast<std::size_t>(in.c);
      break;
    case Code::kTakeSpinning:
    case Code::kReplace: {
      const int expected = in.code == Code::kReplace ? thread.r : 0;
      if (value() == expected) {
        memory(in.code == Code::kReplace ? thread.r + in.c : 1);
      } else {
        s.op.kind = OpKind::kCasFailed;
        s.op.before = bits(value());
        s.op.after = bits(expected);
        next_pc = static_cast<std::size_t>(in.b);
      }
      break;
    }
    case Code::kSpawn:
      if (in.b == 1) thread.children.push_back(s.op.peer);
      break;
    case Code::kJoin:
    case Code::kJumpUnless:
    case Code::kAssert:
    case Code::kEnd:
    case Code::kInput:
    case Code::kJumpUnlessLess:
    case Code::kAssume:
    case Code::kHead:
    case Code::kJump:
      break;
  }
  conductor_.performed(s);
  ++thread.steps;
  thread.pc = next_pc;
  if (failed) {
    execution_->failures.push_back({FailureKind::kUnlockNotHeld, conductor_.position(), t, s.where, "unlock"});
    thread.ended = thread.failed = true;
    conductor_.retire(t);
  } else if (thread.wait == Wait::kParked || thread.arrived || exited_) {
    if (exited_) thread.ended = true;
    conductor_.retire(t);
  } else {
    advance(t);
  }
  if (is_arrival(s.op.kind))
    s.set.for_each_thread([&](ThreadId w) {
      if (w == t) return;
      threads_[w.index()].arrived = false;
      advance(w);
    });
  if (s.op.kind == OpKind::kSpawn) start(s.op.peer, static_cast<std::size_t>(in.a));
  if (s.op.kind == OpKind::kSignal || s.op.kind == OpKind::kBroadcast) {
    woken_by(s).for_each_thread([&](ThreadId w) {
      if (threads_[w.index()].wait != Wait::kParked && threads_[w.index()].wait != Wait::kTimed) return;
      threads_[w.index()].wait = Wait::kWoken;
      conductor_.announce(w, next_step(w));
    });
  }
}

// The parts of a wait. A timed one may give up at any moment while it has not been woken.
void ScriptProgram::perform_waiting(ThreadId t, const Instruction& in, Step& s) {
  Thread& thread = threads_[t.index()];
  ThreadSet& waiters = waiters_[static_cast<std::size_t>(in.a)];
  if (s.op.kind == OpKind::kChoose) {
    thread.left_a_wait = s.choice == 1;
    thread.wait = s.choice == 1 ? Wait::kLeaves : Wait::kStays;
  } else if (s.op.kind == OpKind::kRelease) {
    thread.wait = Wait::kWoken;
  } else if (s.op.kind == OpKind::kWait) {
    waiters.insert(t);
    thread.wait = Wait::kRegistered;
  } else if (s.op.kind == OpKind::kWaitRelease) {
    const Wait still = in.code == Code::kTimedWait ? Wait::kTimed : Wait::kParked;
    if (still == Wait::kTimed) s.op.after = kTimedWait;
    thread.wait = waiters.contains(t) ? still : Wait::kWoken;
  } else if (s.op.kind == OpKind::kTimeout) {
    waiters.erase(t);
    thread.wait = Wait::kWoken;
  } else {
    thread.wait = Wait::kNo;
  }
}

void ScriptProgram::perform_counting(ThreadId t, const Instruction& in, Step& s) {
  Thread& thread = threads_[t.index()];
  std::uint64_t& state = s.op.object == semaphore() ? count_ : read_write_;
  s.op.before = state;
  if (in.code == Code::kSemTry) {
    thread.r = count_ > 0;
    thread.from_input = false;
    if (count_ == 0)
      s.op.kind = OpKind::kSemTryFailed;
    else
      --count_;
  } else if (in.code == Code::kSemWait || in.code == Code::kUnlockShared) {
    --state;
  } else if (in.code == Code::kSemPost || in.code == Code::kLockShared) {
    ++state;
  } else {
    state = in.code == Code::kLockWhole ? kHeldExclusively : kLockFree;
  }
  s.op.after = state;
}

bool ScriptProgram::try_read_write(const Instruction& in, Step& s) {
  const bool shared = in.code == Code::kTryShared;
  s.op.before = s.op.after = read_write_;
  if (shared ? read_write_ == kHeldExclusively : read_write_ != kLockFree) {
    s.op.kind = shared ? OpKind::kSharedTryFailed : OpKind::kTryFailed;
    return false;
  }
  s.op.after = read_write_ = shared ? read_write_ + 1 : kHeldExclusively;
  return true;
}

void ScriptProgram::finish(Execution& execution, ThreadSet enabled_now) {
  conductor_.end(enabled_now, [&](const Step& s) { return std::optional(state_of(s.op.object)); });
  final_state_ = values_;
  for (const Pending& p : execution.pending)
    if (p.step.op.kind == OpKind::kArriveInTurn && !p.enabled)
      arrivals_.push_back({kNoEvent, p.step.thread, round_, false, false});
  const Waits waits = judge_waits(execution);
  bool blocked = false, failed = false;
  for (const Thread& t : threads_) {
    const bool at_head = !t.turns.empty() && t.turns.back().own == t.steps;  // r is not used again before it is set
    final_state_.push_back(at_head && !t.ended ? 0 : t.r);
    blocked = blocked || (t.body != nullptr && !t.ended);
    failed = failed || t.failed;
  }
  const bool idle = void_ || waits == Waits::kVoid;
  // What went wrong before or beside a turn that should have come later did go wrong, as for the front ends.
  if (infeasible_ || void_) execution.failures.clear();
  if (conductor_.diverged())
    execution.outcome = Outcome::kDiverged;
  else if (conductor_.stopped_asleep())
    execution.outcome = Outcome::kAsleep;
  else if (idle || infeasible_)
    execution.outcome = Outcome::kInfeasible;
  else if (waits == Waits::kUnknown)
    execution.outcome = Outcome::kCut;
  else if (exited_)
    execution.outcome = failed ? Outcome::kFailed : Outcome::kComplete;
  else if (failed)
    execution.outcome = Outcome::kFailed;
  else if (blocked)
    execution.outcome = Outcome::kDeadlock;
  else
    execution.outcome = Outcome::kComplete;
}

}  // namespace heddle::check
