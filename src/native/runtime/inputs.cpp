#include "native/runtime/inputs.h"

#include <string.h>

#include "base/random.h"
#include "native/runtime/checkpoint.h"
#include "native/runtime/learnt.h"
#include "native/runtime/parts.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/remote_solver.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"
#include "native/runtime/term_operators.h"

heddle::protocol::SymbolicCall heddle_sym_call;

namespace heddle::runtime {

using protocol::InputMode;

using symbolic::Answer;
using symbolic::PathId;

constinit Inputs* inputs = nullptr;

namespace {

// A value without the zeros at its end is few numbers, if it is always below this.
constexpr std::size_t kMostOutcomes = 128;

// The part of a value that tells it from others, and how many zeros follow.
std::pair<TermId, unsigned> without_zeros(symbolic::TermStore& terms, TermId value) {
  const unsigned width = terms.width(value), zeros = std::min(trailing_zeros(terms, value), width - 1);
  return {terms.extract(value, zeros, width - zeros), zeros};
}

symbolic::QueryOptions query_options(const protocol::InputOptions& options) {
  symbolic::QueryOptions queries;
  queries.shortcuts = options.shortcuts;
  queries.cadical_limit = std::chrono::milliseconds(options.first_solver_milliseconds);
  queries.z3_limit = std::chrono::milliseconds(options.solver_milliseconds);
  return queries;
}

}  // namespace

std::string input_name(const std::string& label, ThreadId thread, std::uint32_t ordinal) {
  const std::string who = thread.index() == 0 ? "main" : "t" + std::to_string(thread.value);
  return label + "[" + who + "," + std::to_string(ordinal) + "]";
}

Inputs::Inputs(const protocol::InputOptions& options, bool code_is_tracked)
    : options_(options),
      tracking_(code_is_tracked && options.mode != InputMode::kRandom),
      space_(query_options(options), make_remote_solver) {
  for (const protocol::NamedInput& g : options.given) given_[g.name] = g.value;
}

// --- one run --------------------------------------------------------------------------------------------------------

// Inputs to begin with: those of the last execution up to where the schedules part. If they part at a branch, the
// outcome asked for was found possible when its alternatives were judged, so inputs for it are known.
PathId Inputs::start_of(const trace::Schedule& schedule) {
  symbolic::Paths& paths = space_.paths();
  if (concretisations_.empty() && paths.trim()) {
    passed_.clear();
    decisions_.clear();
  }
  std::size_t common = 0;
  const std::size_t most = std::min(schedule.steps.size(), decisions_.size());
  while (common < most && schedule.steps[common] == decisions_[common]) ++common;
  for (const Passed& p : passed_) {
    if (p.step < common) continue;
    const bool parting = p.step == common && common < schedule.steps.size() &&
                         schedule.steps[common].thread == decisions_[common].thread &&
                         schedule.steps[common].choice != trace::kAnyChoice;
    if (parting) {
      const TermId other = space_.condition(p.on, schedule.steps[common].choice);
      if (paths.feasible(p.before, other) == Answer::kSat) return paths.extend(p.before, other, nullptr);
    }
    return paths.has_inputs(p.before) ? p.before : symbolic::kEmptyPath;
  }
  return symbolic::kEmptyPath;
}

void Inputs::begin_run(const trace::Schedule& schedule) {
  first_seen_.clear();
  first_concretised_.clear();
  if (tracking_ && options_.mode == InputMode::kExplore) start_ = start_of(schedule);
}

void Inputs::begin_execution() {
  read_.clear();
  given_terms_.clear();
  memset(ordinal_, 0, sizeof ordinal_);
  heddle_sym_call = {};
  if (!tracking_) return;
  memory.clear();
  made_from_.clear();
  written = false;
  passed_.clear();
  judging_ = {};
  // What an attempt with other inputs saw first, the next one sees first again, or it would go another way.
  for (const auto& [where, outcome] : first_seen_) seen_outcomes_[where].erase(outcome);
  first_seen_.clear();
  space_.begin(start_);
}

constinit const Part inputs_part = described({
    .begin =
        [] {
          if (inputs) inputs->begin_execution();
        },
    .not_kept = "who reads inputs switches checkpoints off",
});

void Inputs::end_run(trace::Execution& execution) {
  execution.named_inputs = read_;
  if (!tracking_) return;
  decisions_.clear();
  for (const Step& s : execution.steps) decisions_.push_back({s.thread, s.choice});
}

// --- the running thread ---------------------------------------------------------------------------------------------

std::uint64_t Inputs::plain_value(unsigned width, const std::string& label, std::uint32_t ordinal) {
  if (options_.mode == InputMode::kGiven) {
    const auto place = given_.find(input_name(label, rt.current, ordinal));
    return place == given_.end() ? 0 : static_cast<std::uint64_t>(place->second);
  }
  rt.inputs_drawn = true;
  return mix(combine(combine(options_.seed, rt.current.index() + 1), ordinal)) >> (64 - width);
}

std::uint64_t Inputs::next(const Shape& shape, const char* label, TermId& term) {
  const unsigned width = shape.width;
  const std::uint32_t ordinal = ++ordinal_[rt.current.index()];
  rt.self().spin.unchanged = false;  // a loop that reads inputs is no repetition of itself (spinning.h)
  if (!any_read_) {                  // a later execution may have other inputs before the first thread
    checkpoints.switch_off();
    checkpoints.forget();
    any_read_ = true;
  }
  labels_[{rt.current.value, ordinal}] = label;
  term = kNoTerm;
  std::uint64_t value = 0;
  if (tracking_)  // a name of its own for each width: what the k-th input is may depend on the path
    term = terms().input(
        width, std::to_string(rt.current.value) + "," + std::to_string(ordinal) + "," + std::to_string(width));
  if (tracking_ && options_.mode == InputMode::kExplore)
    value = space_.value_of(term);
  else
    value = plain_value(width, label, ordinal);
  value &= static_cast<std::uint64_t>(symbolic::mask_of(width));
  if (term != kNoTerm && options_.mode == InputMode::kGiven) given_terms_.emplace_back(term, value);
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  read_.push_back({rt.current, ordinal, static_cast<std::int64_t>(shape.is_signed ? (value ^ sign) - sign : value),
                   shape.bytes_left});
  return value;
}

std::size_t Inputs::decide(TermId value, std::size_t count, std::size_t actual, OpKind kind, const void* pc,
                           SmallSet also) {
  // Code without tracking may have changed a value behind its term's back. Such a branch is not explored, and that is
  // said.
  if (evaluate(value) != actual) {
    leave_open(pc, "a value was changed by code that is not compiled with tracking");
    return actual;
  }
  VisibleOperation op(kind, kNoObject, where_of(pc));
  branch_[rt.current.index()] = {value, count, actual, 0, false, also};
  op.op().before = value.value;
  op.op().after = actual;
  op.step().set = SmallSet::below(count);
  judging_.insert(rt.current);
  op.await();
  judging_.erase(rt.current);
  Step& step = op.step();
  step.set = rt.conductor.pending(rt.current).set;
  step.choice = op.choice();
  step.op.after = count;
  passed_.push_back({rt.conductor.position(), space_.path(), value});
  if (options_.mode == InputMode::kExplore && !space_.take(value, step.choice, actual)) end_execution(Ending::kRestart);
  if (SmallSet& seen = seen_outcomes_[step.where]; !seen.contains(step.choice)) {
    seen.insert(step.choice);
    first_seen_.emplace_back(step.where, step.choice);
  }
  op.performed();
  rt.in_engine = true;
  return step.choice;
}

symbolic::Bits Inputs::evaluate(TermId term) {
  if (options_.mode == InputMode::kExplore) return terms().evaluate(term, space_.last_inputs());
  symbolic::Assignment at_hand(terms().inputs(), 0);
  for (const auto& [input, value] : given_terms_) at_hand[static_cast<std::size_t>(terms()[input].value)] = value;
  return terms().evaluate(term, at_hand);
}

void Inputs::assume(TermId condition, bool actual, const void* pc) {
  if (condition != kNoTerm && !terms().is_constant(condition))
    actual = decide(condition, 2, actual, OpKind::kAssume, pc) != 0;
  if (!actual) stop_thread(Stopped::kInfeasible);
}

bool Inputs::always_below(TermId value, std::size_t count) {
  if (terms().width(value) < 64 && (std::size_t{1} << terms().width(value)) <= count) return true;
  const TermId beyond = terms().make(symbolic::TermKind::kUle, terms().constant(terms().width(value), count), value);
  return space_.paths().feasible(space_.path(), beyond) == Answer::kUnsat;
}

bool Inputs::enumerate(TermId value, std::uint64_t actual, const void* pc) {
  if (options_.mode != InputMode::kExplore) return false;
  const auto [number, zeros] = without_zeros(terms(), value);
  if (terms().width(number) < 2 || !always_below(number, kMostOutcomes)) return false;
  decide(number, kMostOutcomes, actual >> zeros, OpKind::kBranch, pc);
  return true;
}

// Whether the search had a number here or an assumption depends on what was possible on its path, and with given inputs
// conditions of the path are not kept. Either will do: the value is what it is.
void Inputs::follow_concretised(TermId value, std::uint64_t actual, const void* pc) {
  const auto [number, zeros] = without_zeros(terms(), value);
  if (terms().width(number) >= 2 && actual >> zeros < kMostOutcomes)
    decide(number, kMostOutcomes, actual >> zeros, OpKind::kBranch, pc, SmallSet::of(1));
  else
    assume(terms().equals(value, actual), true, pc);
}

void Inputs::concretise(TermId value, std::uint64_t actual, const void* pc, const std::string& why) {
  if (value == kNoTerm || terms().is_constant(value)) return;
  actual &= static_cast<std::uint64_t>(symbolic::mask_of(terms().width(value)));
  if (options_.mode == InputMode::kGiven) return follow_concretised(value, actual, pc);
  if (enumerate(value, actual, pc)) return;
  leave_open(pc, why);
  // The value must be the same whenever the path is followed, by whomever.
  std::uint64_t kept = actual;
  if (options_.mode == InputMode::kExplore) {
    const auto [place, first] = concretisations_.try_emplace({space_.path(), value.value}, actual);
    if (first) {
      first_concretised_.push_back(place->first);
      place->second = space_.first_value(value, actual);
    }
    kept = place->second;
  }
  assume(terms().equals(value, kept), actual == kept, pc);
}

std::vector<Inputs::Concretised> Inputs::newly_concretised() {
  std::vector<Concretised> all;
  for (const PathAndTerm& key : first_concretised_)
    all.push_back({space_.paths().conditions(key.first), TermId(key.second), concretisations_.at(key)});
  return all;
}

void Inputs::merge_concretised(const Concretised& taken) {
  PathId path = symbolic::kEmptyPath;
  for (auto condition = taken.path.rbegin(); condition != taken.path.rend(); ++condition)
    path = space_.paths().extend(path, *condition, nullptr);
  concretisations_.try_emplace({path, taken.term.value}, taken.value);
}

void Inputs::leave_open(const void* pc, const std::string& what) { left_open_.try_emplace(where_of(pc), what); }

void Inputs::learn_compared(std::uintptr_t address) {
  if (compared_.insert(address).second) grow_visible_set({protocol::LearntKind::kCompared, address, 0});
}

// --- the scheduler --------------------------------------------------------------------------------------------------

bool Inputs::judge(ThreadId t) {
  Step& pending = rt.conductor.pending(t);
  Branch& b = branch_[t.index()];
  if (b.judged && b.judged_at == space_.path()) return false;
  b.judged = true;
  b.judged_at = space_.path();
  if (options_.mode == InputMode::kGiven) {
    pending.set = SmallSet::of(b.actual) | b.also;
    return true;
  }
  if (pending.op.kind == OpKind::kAssume) {
    pending.set = SmallSet::of(b.actual == 1 || space_.possible(b.on, 1) ? 1 : 0);
  } else {
    pending.set = space_.outcomes(b.on, b.count, b.actual);
    pending.op.after = space_.first_outcome(b.on, pending.set, b.actual);
    const SmallSet fresh = pending.set - seen_outcomes_[pending.where];
    if (options_.branches == protocol::BranchOrder::kNewCoverage && !fresh.empty() && !fresh.contains(pending.op.after))
      pending.op.after = fresh.first();
    if (options_.branches == protocol::BranchOrder::kRandom) {
      std::uint64_t skip = combine(options_.branch_seed, combine(space_.outcomes_so_far(), pending.where)) %
                           static_cast<std::uint64_t>(pending.set.size());
      pending.set.for_each([&](std::size_t outcome) {
        if (skip-- == 0) pending.op.after = outcome;
      });
    }
  }
  if (space_.undecided()) left_open_.try_emplace(pending.where, "the solver could not decide a branch in time");
  return true;
}

void Inputs::judge_pending() {
  judging_.for_each_thread([&](ThreadId t) { judge(t); });
}

void Inputs::see_outcomes(const trace::Execution& execution) {
  for (const Step& s : execution.steps)
    if (s.op.kind == OpKind::kBranch || s.op.kind == OpKind::kAssume) seen_outcomes_[s.where].insert(s.choice);
}

std::vector<TermId> Inputs::conditions_of(std::span<const Step* const> steps) {
  std::vector<TermId> conditions;
  for (const Step* s : steps)
    if (s->op.kind == OpKind::kBranch || s->op.kind == OpKind::kAssume)
      conditions.push_back(space_.condition(TermId(static_cast<std::uint32_t>(s->op.before)), s->choice));
  return conditions;
}

bool Inputs::feasible(std::span<const Step* const> steps) {
  std::vector<TermId> conditions = conditions_of(steps);
  if (conditions.empty()) return true;
  symbolic::Assignment found;
  const Answer answer = space_.queries().ask(std::move(conditions), space_.last_inputs(), found);
  if (answer == Answer::kUnknown) left_open_.try_emplace(0, "the solver could not decide a combination of branches");
  return answer == Answer::kSat;
}

void Inputs::use_least_for(const trace::Execution& execution) {
  if (!tracking_ || options_.mode != InputMode::kExplore) return;
  std::vector<const Step*> steps;
  for (const Step& step : execution.steps) steps.push_back(&step);
  space_.prefer(space_.least_inputs(conditions_of(steps)));
}

// --- what is reported -----------------------------------------------------------------------------------------------

protocol::InputReport Inputs::report() {
  protocol::InputReport out;
  out.explored = any_read_ && tracking_ && options_.mode == InputMode::kExplore;
  for (const auto& [key, label] : labels_) out.labels.push_back({ThreadId(key.thread), key.ordinal, label});
  for (const auto& [where, what] : left_open_) out.left_open.push_back({where, what});
  out.questions = space_.counts();
  return out;
}

bool is_tracked(const void* function) {
  std::uint64_t mark;
  memcpy(&mark, static_cast<const char*>(function) - sizeof mark, sizeof mark);
  return mark == protocol::kTrackedFunction;
}

TermId argument_term(const void* callee, unsigned k) {
  if (heddle_sym_call.callee != callee) return kNoTerm;
  return TermId(heddle_sym_call.arguments[k]);
}

void offer_argument(const void* callee, TermId term) {
  if (term == kNoTerm) return;
  heddle_sym_call.callee = callee;
  for (std::uint32_t& t : heddle_sym_call.arguments) t = 0;
  heddle_sym_call.arguments[0] = term.value;
}

}  // namespace heddle::runtime
