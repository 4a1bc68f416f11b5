#include "model/interpreter.h"

#include <algorithm>

namespace heddle::model {

using trace::Failure;
using trace::FailureKind;
using trace::Outcome;

Interpreter::Interpreter(const Code& code, const ModelOptions& options)
    : code_(code), options_(options), contenders_(code.locks), waiters_(code.conds), notifiers_(code.conds) {
  if (!options_.hurried) options_.hurried = std::make_shared<HurriedLoops>();
  if (options_.coverage) {
    for (auto* counts : {&coverage_.hits, &coverage_.jumped, &coverage_.passed})
      counts->assign(code_.instructions.size(), 0);
  }
  if (code_.spawns) name_spawned_threads();
  if (options_.inputs == InputMode::kRandom || !code_.reads_inputs) return;
  space_ = std::make_unique<symbolic::InputSpace>(options_.queries);
  seen_outcomes_.resize(code_.instructions.size());
  for (const Variable& v : code_.variables) compared_.insert(compared_.end(), v.count, v.compared);
}

// Ids of spawned threads are given out in order of first sight. A saved schedule is replayed by another
// process with another history, so a fixed set of executions comes first: whatever they spawn has the same id
// everywhere. Inputs are random in them, whatever they are afterwards.
void Interpreter::name_spawned_threads() {
  constexpr std::uint64_t kRandomExecutions = 16;
  const ModelOptions wanted = options_;
  options_.inputs = InputMode::kRandom;
  options_.coverage = false;
  trace::Schedule schedule;
  trace::Execution execution;
  for (std::uint64_t seed = 0; seed <= kRandomExecutions; ++seed) {
    run(schedule, execution);
    schedule.tail.kind = trace::TailKind::kRandom;
    schedule.tail.seed = seed;
    if (wanted.inputs != InputMode::kRandom) options_.input_seed = seed;
  }
  options_ = wanted;
  early_births_ = static_cast<std::ptrdiff_t>(births_.size());
}

void Interpreter::use_late_births(const std::vector<Birth>& births) {
  births_.resize(static_cast<std::size_t>(early_births_));
  std::erase_if(children_, [&](const auto& child) { return child.second.index() >= known_threads(); });
  for (const Birth& birth : births) child_id(birth.parent, birth.ordinal, birth.function);
}

void Interpreter::run(const trace::Schedule& schedule, trace::Execution& execution) {
  symbolic_ = space_ != nullptr;
  if (!symbolic_) return run_once(schedule, execution);
  const symbolic::PathId start = start_of(schedule);
  first_seen_.clear();
  do {
    space_->begin(start);
    // What an attempt with other inputs saw first, the next one sees first again, or it would go another way.
    for (const auto& [pc, outcome] : first_seen_) seen_outcomes_[pc].erase(outcome);
    first_seen_.clear();
    restart_ = false;
    passed_.clear();
    run_once(schedule, execution);
  } while (space_->again());
}

void Interpreter::run_once(const trace::Schedule& schedule, trace::Execution& execution) {
  execution_ = &execution;
  reset();
  conductor_.begin(schedule, execution);
  for (std::size_t i = 0; i < code_.threads.size(); ++i) {
    const ThreadId t(static_cast<std::uint16_t>(i));
    start(t, code_.threads[i].function);
    thread(t).registers[0] = code_.threads[i].replica;
    if (symbolic_) thread(t).terms[0] = symbolic::kNoTerm;
  }
  for (std::size_t i = 0; i < code_.threads.size(); ++i) advance(ThreadId(static_cast<std::uint16_t>(i)));
  while (const auto decision = conductor_.decide(enabled_)) {
    // Which outcomes a branch has is worked out when its thread is about to run, and then decided again.
    if (symbolic_ && judge_outcomes(decision->thread)) continue;
    perform(*decision);
    if (restart_) return;
  }
  conductor_.end(enabled_, [&](const trace::Step& step) { return std::optional(state_of(step.op.object)); });
  conclude(execution, unfinished());
}

void Interpreter::reset() {
  values_.assign(code_.initial.begin(), code_.initial.end());
  if (options_.weak_memory) {
    stores_.resize(values_.size());
    for (std::size_t x = 0; x < values_.size(); ++x) stores_[x].assign(1, values_[x]);
  }
  if (symbolic_) value_terms_.assign(code_.initial.size(), symbolic::kNoTerm);
  std::fill(contenders_.begin(), contenders_.end(), ThreadSet{});
  std::fill(waiters_.begin(), waiters_.end(), ThreadSet{});
  std::fill(notifiers_.begin(), notifiers_.end(), ThreadSet{});
  for (std::size_t t = 0; t < used_; ++t) {
    threads_[t].state = State::kUnborn;
    joiners_[t] = {};
  }
  used_ = 0;
  enabled_ = awaiting_ = {};
  failed_ = cut_ = false;
}

void Interpreter::start(ThreadId t, std::uint32_t function) {
  while (register_files_.size() <= t.index()) {
    register_files_.push_back(std::make_unique<std::int32_t[]>(kRegisterFile));
    frame_stacks_.push_back(std::make_unique<Frame[]>(kMaxCalls));
    term_files_.push_back(std::make_unique<symbolic::TermId[]>(kRegisterFile));
  }
  Thread& th = thread(t);
  std::vector<Turn> turns = std::move(th.turns);  // their memory is used again
  turns.clear();
  th = Thread{};
  th.turns = std::move(turns);
  th.registers = register_files_[t.index()].get();
  th.frames = frame_stacks_[t.index()].get();
  if (symbolic_) th.terms = term_files_[t.index()].get();
  th.pc = code_.functions[function].entry;
  th.function = function;
  th.state = State::kReady;
  used_ = std::max(used_, t.index() + 1);
}

void Interpreter::stop(ThreadId t) {
  thread(t).state = State::kStopped;
  execution_->stopped.insert(t);
  conductor_.retire(t);
}

void Interpreter::give_up(ThreadId t) {
  execution_->unwanted.insert(t);
  stop(t);
}

void Interpreter::fail(ThreadId t, FailureKind kind, std::string message) {
  failed_ = true;
  execution_->failures.push_back({kind, conductor_.position(), t, where(thread(t)), std::move(message)});
  stop(t);
}

// As steps tell it (trace/operation.h).
std::uint64_t Interpreter::state_of(ObjectId object) const {
  const std::int32_t value = values_[object.index()];
  if (code_.kind_of(object) != ObjectKind::kLock) return bits(value);
  return value == kNoOwner ? trace::kLockFree : trace::kHeldExclusively;
}

ThreadSet Interpreter::unfinished() const {
  ThreadSet set;
  for (std::size_t t = 0; t < used_; ++t)
    if (threads_[t].state == State::kReady || threads_[t].state == State::kParked) set.insert(t);
  return set;
}

void Interpreter::conclude(trace::Execution& execution, ThreadSet blocked) {
  // Nobody asked for such inputs: what went wrong in other threads does not count either.
  const bool infeasible = !execution.unwanted.empty();
  if (infeasible) execution.failures.clear();
  awaiting_.for_each_thread([&](ThreadId t) { execution.idle_turns.push_back({t, thread(t).awaits_since}); });
  const auto search = conductor_.samples() ? trace::Search::kSamples : trace::Search::kTurnsRacesRound;
  const trace::Waits waits = options_.weak_memory ? trace::judge_weak_waits(execution) : judge_waits(execution, search);
  if (conductor_.diverged()) {
    execution.outcome = Outcome::kDiverged;
  } else if (conductor_.stopped_asleep()) {
    execution.outcome = Outcome::kAsleep;
  } else if (infeasible || waits == trace::Waits::kVoid) {
    execution.outcome = Outcome::kInfeasible;
  } else if (cut_ || waits == trace::Waits::kUnknown || (waits == trace::Waits::kForEver && anybody_counts())) {
    // Also if another thread failed: the search is not complete.
    execution.outcome = Outcome::kCut;
  } else if (failed_) {
    execution.outcome = Outcome::kFailed;
  } else if (waits == trace::Waits::kForEver) {
    execution.outcome = Outcome::kFailed;
    report_livelocks();
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
  const Variable& v = code_.variable_of(object);
  return v.array ? v.name + "[" + std::to_string(object.value - v.first) + "]" : v.name;
}

}  // namespace heddle::model
