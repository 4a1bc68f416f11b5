#include "model/interpreter.h"

#include <algorithm>

namespace heddle::model {

using trace::Failure;
using trace::FailureKind;
using trace::Outcome;

Interpreter::Interpreter(const Code& code, const ModelOptions& options)
    : code_(code), options_(options), contenders_(code.locks), waiters_(code.conds), notifiers_(code.conds) {
  if (code_.spawns) name_spawned_threads();
}

// Ids of spawned threads are given out in order of first sight. A saved schedule is replayed by another
// process with another history, so a fixed set of executions comes first: whatever they spawn has the same id
// everywhere.
void Interpreter::name_spawned_threads() {
  constexpr std::uint64_t kRandomExecutions = 16;
  trace::Schedule schedule;
  trace::Execution execution;
  for (std::uint64_t seed = 0; seed <= kRandomExecutions; ++seed) {
    run(schedule, execution);
    schedule.tail.kind = trace::TailKind::kRandom;
    schedule.tail.seed = seed;
  }
}

void Interpreter::run(const trace::Schedule& schedule, trace::Execution& execution) {
  execution_ = &execution;
  reset();
  conductor_.begin(schedule, execution);
  for (std::size_t i = 0; i < code_.threads.size(); ++i) {
    const ThreadId t(static_cast<std::uint16_t>(i));
    start(t, code_.threads[i].function);
    thread(t).registers[0] = code_.threads[i].replica;
  }
  for (std::size_t i = 0; i < code_.threads.size(); ++i) advance(ThreadId(static_cast<std::uint16_t>(i)));
  while (const auto decision = conductor_.decide(enabled_)) perform(*decision);
  conductor_.end(enabled_);
  conclude(execution, unfinished());
}

void Interpreter::reset() {
  values_.assign(code_.initial.begin(), code_.initial.end());
  std::fill(contenders_.begin(), contenders_.end(), ThreadSet{});
  std::fill(waiters_.begin(), waiters_.end(), ThreadSet{});
  std::fill(notifiers_.begin(), notifiers_.end(), ThreadSet{});
  for (std::size_t t = 0; t < used_; ++t) {
    threads_[t].state = State::kUnborn;
    joiners_[t] = {};
  }
  used_ = 0;
  enabled_ = {};
  failed_ = cut_ = infeasible_ = false;
}

void Interpreter::start(ThreadId t, std::uint32_t function) {
  while (register_files_.size() <= t.index()) {
    register_files_.push_back(std::make_unique<std::int32_t[]>(kRegisterFile));
    frame_stacks_.push_back(std::make_unique<Frame[]>(kMaxCalls));
  }
  Thread& th = thread(t);
  th = Thread{};
  th.registers = register_files_[t.index()].get();
  th.frames = frame_stacks_[t.index()].get();
  th.pc = code_.functions[function].entry;
  th.function = function;
  th.state = State::kReady;
  used_ = std::max(used_, t.index() + 1);
}

void Interpreter::stop(ThreadId t) {
  thread(t).state = State::kStopped;
  conductor_.retire(t);
}

void Interpreter::fail(ThreadId t, FailureKind kind, std::string message) {
  failed_ = true;
  execution_->failures.push_back({kind, conductor_.position(), t, where(thread(t)), std::move(message)});
  stop(t);
}

ThreadSet Interpreter::unfinished() const {
  ThreadSet set;
  for (std::size_t t = 0; t < used_; ++t)
    if (threads_[t].state == State::kReady || threads_[t].state == State::kParked) set.insert(t);
  return set;
}

void Interpreter::conclude(trace::Execution& execution, ThreadSet blocked) {
  if (conductor_.diverged()) {
    execution.outcome = Outcome::kDiverged;
  } else if (conductor_.stopped_asleep()) {
    execution.outcome = Outcome::kAsleep;
  } else if (failed_) {
    execution.outcome = Outcome::kFailed;
  } else if (cut_) {
    execution.outcome = Outcome::kCut;
  } else if (infeasible_) {
    execution.outcome = Outcome::kInfeasible;
  } else if (!blocked.empty()) {
    execution.outcome = Outcome::kDeadlock;
    execution.failures.push_back({FailureKind::kDeadlock, conductor_.position(), kNoThread,
                                  where(thread(blocked.first_thread())), describe_deadlock(blocked)});
  } else {
    execution.outcome = Outcome::kComplete;
  }
}

ThreadId Interpreter::child_id(ThreadId parent, std::uint32_t ordinal, std::uint32_t function) {
  const std::size_t next = code_.threads.size() + births_.size();
  const auto [known, added] =
      children_.try_emplace({parent.value, ordinal}, ThreadId(static_cast<std::uint16_t>(next)));
  if (!added) {
    births_[known->second.index() - code_.threads.size()].function = function;
    return known->second;
  }
  if (next >= kMaxThreads) {
    children_.erase(known);
    return kNoThread;
  }
  births_.push_back({parent, ordinal, function});
  return known->second;
}

std::string Interpreter::thread_name(ThreadId t) const {
  if (t.index() < code_.threads.size()) {
    const StaticThread& s = code_.threads[t.index()];
    const std::string& name = code_.functions[s.function].name;
    return s.replicated ? name + "[" + std::to_string(s.replica) + "]" : name;
  }
  const std::size_t birth = t.index() - code_.threads.size();
  if (birth >= births_.size()) return "thread " + std::to_string(t.value);
  const Birth& b = births_[birth];
  return thread_name(b.parent) + "/" + code_.functions[b.function].name + "#" + std::to_string(b.ordinal);
}

std::string Interpreter::object_name(ObjectId object) const {
  if (object.index() >= code_.initial.size()) return {};
  // The last variable that begins at or before it; empty arrays begin where their successor does.
  const auto after = std::upper_bound(code_.variables.begin(), code_.variables.end(), object.value,
                                      [](std::uint32_t o, const Variable& v) { return o < v.first; });
  const Variable& v = *std::prev(after);
  return v.array ? v.name + "[" + std::to_string(object.value - v.first) + "]" : v.name;
}

}  // namespace heddle::model
