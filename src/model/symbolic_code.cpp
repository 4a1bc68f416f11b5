// The symbolic half of execution: terms beside values, and branches on them.
//
// An instruction whose operands have terms computes its value as always and the term of its result besides. One whose
// *course* depends on inputs (a jump, an assertion, a division that might be by zero, an index) first makes a branch
// step; when the schedule has decided it, the instruction is carried out again, now with that outcome settled.
// `stage` counts the branches an instruction has behind it. An instruction with every outcome settled is an ordinary
// one, because the inputs at hand lead to those outcomes.
//
// Some operands must be plain numbers: what a compare-and-swap compares, the number of choices, the thread to join,
// an index into an array of more than 128 elements. They are *concretised*: the path goes on with the value they have,
// other values are left out, and the exploration says so (left_open).
//
// An index is decided by a branch per element, or, for reads from arrays that are small enough
// (ModelOptions::symbolic_reads), not at all: the value read is a term over all elements (symbolic/table.h).
#include "model/interpreter.h"

#include "base/random.h"
#include "symbolic/table.h"

namespace heddle::model {

using symbolic::kNoTerm;
using symbolic::PathId;
using symbolic::TermId;
using symbolic::TermKind;
using trace::FailureKind;
using trace::OpKind;
using trace::Step;

namespace {

constexpr unsigned kWord = 32;
constexpr std::uint32_t kMostOutcomes = 128;

}  // namespace

std::string Interpreter::input_name(ThreadId t, std::uint32_t ordinal) const {
  return "input[" + thread_name(t) + "," + std::to_string(ordinal) + "]";
}

// Inputs to begin with: those of the last execution up to where the schedules part. If they part at a branch, the
// outcome asked for was found possible when its alternatives were judged, so inputs for it are known.
PathId Interpreter::start_of(const trace::Schedule& schedule) {
  if (concretisations_.empty() && space_->paths().trim()) passed_.clear();
  std::size_t common = 0;
  const std::size_t most = std::min(schedule.steps.size(), passed_.size());
  while (common < most && schedule.steps[common] == passed_[common].decision) ++common;
  if (common == passed_.size()) return symbolic::kEmptyPath;
  const Passed& parting = passed_[common];
  symbolic::Paths& paths = space_->paths();
  if (common < schedule.steps.size() && parting.branch_on != kNoTerm &&
      schedule.steps[common].thread == parting.decision.thread && schedule.steps[common].choice != trace::kAnyChoice) {
    const TermId other = space_->condition(parting.branch_on, schedule.steps[common].choice);
    if (paths.feasible(parting.before, other) == symbolic::Answer::kSat)
      return paths.extend(parting.before, other, nullptr);
  }
  return parting.before;
}

void Interpreter::note_path(const Step& step) {
  const bool branch = step.op.kind == OpKind::kBranch || step.op.kind == OpKind::kAssume;
  passed_.push_back({{step.thread, step.choice}, space_->path(), branch ? thread(step.thread).branch_on : kNoTerm});
}

void Interpreter::note_written_term(const Step& step) {
  if (step.op.kind != OpKind::kWrite && step.op.kind != OpKind::kUpdate && step.op.kind != OpKind::kCas) return;
  const TermId term = value_terms_[step.op.object.index()];
  if (term != kNoTerm) execution_->written_terms.push_back({conductor_.position(), term.value});
}

std::int32_t Interpreter::given_input(ThreadId t, std::uint32_t ordinal) const {
  const auto place = options_.given.find(input_name(t, ordinal));
  return place == options_.given.end() ? 0 : static_cast<std::int32_t>(place->second);
}

std::int32_t Interpreter::symbolic_input(ThreadId t, std::uint32_t ordinal, TermId& term) {
  if (input_terms_.size() <= t.index()) input_terms_.resize(t.index() + 1);
  auto& mine = input_terms_[t.index()];
  if (mine.size() <= ordinal) mine.resize(ordinal + 1, kNoTerm);
  if (mine[ordinal] == kNoTerm)
    mine[ordinal] = space_->terms().input(kWord, std::to_string(t.value) + "," + std::to_string(ordinal));
  term = mine[ordinal];
  if (options_.inputs == InputMode::kGiven) return given_input(t, ordinal);
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(space_->value_of(term)));
}

TermId Interpreter::term_of(const Thread& th, std::uint16_t reg) {
  const TermId t = th.terms[th.window + reg];
  if (t != kNoTerm) return t;
  return space_->terms().constant(kWord, static_cast<std::uint32_t>(th.registers[th.window + reg]));
}

namespace {

// The operator on terms, with the model's semantics: shifts count modulo 32, comparisons give 0 or 1.
TermId apply_to_terms(symbolic::TermStore& s, Op op, TermId a, TermId b) {
  const auto truth = [&](TermId condition) { return s.extend(TermKind::kZext, condition, kWord); };
  const auto modulo = [&](TermId count) { return s.make(TermKind::kAnd, count, s.constant(kWord, 31)); };
  switch (op) {
    case Op::kAdd:
      return s.make(TermKind::kAdd, a, b);
    case Op::kSub:
      return s.make(TermKind::kSub, a, b);
    case Op::kMul:
      return s.make(TermKind::kMul, a, b);
    case Op::kDiv:
      return s.make(TermKind::kSdiv, a, b);
    case Op::kMod:
      return s.make(TermKind::kSrem, a, b);
    case Op::kShiftLeft:
      return s.make(TermKind::kShl, a, modulo(b));
    case Op::kShiftRight:
      return s.make(TermKind::kAshr, a, modulo(b));
    case Op::kBitAnd:
      return s.make(TermKind::kAnd, a, b);
    case Op::kBitOr:
      return s.make(TermKind::kOr, a, b);
    case Op::kBitXor:
      return s.make(TermKind::kXor, a, b);
    case Op::kEqual:
      return truth(s.make(TermKind::kEq, a, b));
    case Op::kNotEqual:
      return truth(s.negation(s.make(TermKind::kEq, a, b)));
    case Op::kLess:
      return truth(s.make(TermKind::kSlt, a, b));
    case Op::kLessEqual:
      return truth(s.make(TermKind::kSle, a, b));
    case Op::kGreater:
      return truth(s.make(TermKind::kSlt, b, a));
    case Op::kGreaterEqual:
      return truth(s.make(TermKind::kSle, b, a));
    case Op::kNegate:
      return s.make(TermKind::kNeg, a);
    case Op::kNot:
      return truth(s.negation(s.nonzero(a)));
    case Op::kComplement:
      return s.make(TermKind::kNot, a);
    default:
      break;
  }
  REQUIRE(!"not an arithmetic instruction");
  return kNoTerm;
}

// Does the signed result fit? In twice the width nothing overflows.
TermId fits_term(symbolic::TermStore& s, Op op, TermId a, TermId b) {
  const auto wide = [&](TermId t) { return s.extend(TermKind::kSext, t, 2 * kWord); };
  const TermId exact = apply_to_terms(s, op, wide(a), wide(b));
  return s.make(TermKind::kEq, exact, wide(apply_to_terms(s, op, a, b)));
}

bool can_overflow(Op op) { return op == Op::kAdd || op == Op::kSub || op == Op::kMul; }

}  // namespace

bool Interpreter::symbolic_arithmetic(ThreadId t, const Instruction& i) {
  Thread& th = thread(t);
  std::int32_t* const r = th.registers + th.window;
  const bool binary = i.op < Op::kNegate;
  const TermId a = term_of(th, i.b), b = binary ? term_of(th, i.c) : kNoTerm;
  symbolic::TermStore& terms = space_->terms();
  const bool divides = i.op == Op::kDiv || i.op == Op::kMod;
  if (divides && th.stage == 0 && th.terms[th.window + i.c] != kNoTerm) {
    const TermId nonzero = terms.nonzero(b);
    if (!terms.is_constant(nonzero)) {
      announce_branch(t, nonzero, 2, r[i.c] != 0, options_.checks.division ? OpKind::kBranch : OpKind::kAssume);
      return false;
    }
  }
  if (divides && r[i.c] == 0) {
    fail(t, FailureKind::kDivisionByZero, "division by zero");
    return false;
  }
  if (options_.checks.overflow && can_overflow(i.op) && th.stage == 0) {
    const TermId fits = fits_term(terms, i.op, a, b);
    if (!terms.is_constant(fits)) {
      const Op op = i.op;
      const std::int64_t x = r[i.b], y = r[i.c];
      const std::int64_t exact = op == Op::kAdd ? x + y : op == Op::kSub ? x - y : x * y;
      announce_branch(t, fits, 2, exact == static_cast<std::int32_t>(exact), OpKind::kBranch);
      return false;
    }
  }
  r[i.a] = apply(static_cast<Operator>(i.op), r[i.b], binary ? r[i.c] : 0);
  const TermId result = apply_to_terms(terms, i.op, a, b);
  th.terms[th.window + i.a] = terms.is_constant(result) ? kNoTerm : result;
  th.stage = 0;
  return true;
}

// First whether the index is in range, then which one it is.
bool Interpreter::symbolic_element(ThreadId t, const Instruction& i) {
  Thread& th = thread(t);
  const Variable& v = code_.variables[static_cast<std::size_t>(i.value)];
  symbolic::TermStore& terms = space_->terms();
  const TermId index = th.terms[th.window + i.b];
  const auto actual = static_cast<std::uint32_t>(th.registers[th.window + i.b]);
  if (th.stage == 0) {
    const TermId inside = terms.make(TermKind::kUlt, index, terms.constant(kWord, v.count));
    if (!terms.is_constant(inside)) {
      announce_branch(t, inside, 2, actual < v.count, options_.checks.bounds ? OpKind::kBranch : OpKind::kAssume);
      return false;
    }
    th.stage = 1;
  }
  if (actual >= v.count || v.count == 1 || th.stage == 2) return true;  // element() takes it from here
  if (reads_as_table(i)) return true;                                   // ... and begin_table() from there
  if (v.count > kMostOutcomes) return concretised(t, i.b);
  announce_branch(t, index, v.count, actual, OpKind::kBranch);
  return false;
}

bool Interpreter::reads_as_table(const Instruction& i) const {
  const std::uint32_t count = code_.variables[static_cast<std::size_t>(i.value)].count;
  return i.c == 1 && count > 1 && count <= options_.symbolic_reads;
}

// A read of all elements, one step each, of which the index then names one. For any inputs that is the read of one
// element at the time of one of the steps: no behaviour is added, and none is lost. Which elements the path still
// allows is not asked, as some orders of other threads' branches know more about it than others.
void Interpreter::begin_table(ThreadId t, const Instruction& i) {
  Thread& th = thread(t);
  const Variable& v = code_.variables[static_cast<std::size_t>(i.value)];
  TableRead& table = table_reads_[t.index()];
  table.index = th.terms[th.window + i.b];
  table.size = v.count;
  std::int32_t& object = th.registers[th.window + i.a];
  table.meant = static_cast<std::uint32_t>(object) - v.first;
  object = static_cast<std::int32_t>(v.first);
  table.elements.clear();
  th.reads_table = true;
}

// After the load of one element.
void Interpreter::read_table(ThreadId t, const Instruction& i) {
  Thread& th = thread(t);
  TableRead& table = table_reads_[t.index()];
  std::int32_t* const r = th.registers + th.window;
  if (table.elements.size() == table.meant) table.found = r[i.a];
  table.elements.push_back(term_of(th, i.a));
  if (table.elements.size() < table.size) {
    ++r[i.b];
    return;
  }
  th.reads_table = false;
  const TermId result = symbolic::element_of(space_->terms(), table.index, table.elements);
  r[i.a] = table.found;
  th.terms[th.window + i.a] = space_->terms().is_constant(result) ? kNoTerm : result;
}

bool Interpreter::symbolic_test(ThreadId t, const Instruction& i) {
  Thread& th = thread(t);
  if (th.stage == 1) {  // decided, and the inputs at hand lead there
    th.stage = 0;
    return true;
  }
  const TermId condition = space_->terms().nonzero(th.terms[th.window + i.a]);
  if (space_->terms().is_constant(condition)) return true;
  announce_branch(t, condition, 2, th.registers[th.window + i.a] != 0,
                  i.op == Op::kAssume ? OpKind::kAssume : OpKind::kBranch);
  return false;
}

// Operands of a visible operation that must be plain numbers.
bool Interpreter::known_operands(ThreadId t, const Instruction& i) {
  const std::int32_t* const r = thread(t).registers + thread(t).window;
  const auto compared = [&] { return compared_[static_cast<std::size_t>(r[i.b])]; };
  switch (i.op) {
    case Op::kStore:
      return !compared() || concretised(t, i.a);
    case Op::kFetchAdd:
    case Op::kExchange:
      return !compared() || concretised(t, i.c);
    case Op::kCas:
      return concretised(t, i.c) && concretised(t, static_cast<std::uint16_t>(i.value));
    case Op::kChoose:
      return concretised(t, i.b);
    case Op::kJoin:
      return concretised(t, i.a);
    default:
      return true;
  }
}

// A register without its term. The value must be the same whenever the path is followed, by whomever.
bool Interpreter::concretised(ThreadId t, std::uint16_t reg) {
  Thread& th = thread(t);
  TermId& term = th.terms[th.window + reg];
  if (term == kNoTerm) return true;
  const std::int32_t actual = th.registers[th.window + reg];
  if (th.stage > 0 && th.branch_on == space_->terms().equals(term, static_cast<std::uint32_t>(actual))) {
    term = kNoTerm;
    th.stage = 0;
    return true;
  }
  leave_open(th, "a value that depends on inputs was taken as it was");
  // With given inputs the path's conditions are not kept, and every value is what it is.
  std::int32_t value = actual;
  if (options_.inputs != InputMode::kGiven) {
    const auto [place, first] = concretisations_.try_emplace({space_->path(), term.value}, actual);
    if (first) place->second = static_cast<std::int32_t>(space_->first_value(term, static_cast<std::uint32_t>(actual)));
    value = place->second;
  }
  const TermId same = space_->terms().equals(term, static_cast<std::uint32_t>(value));
  announce_branch(t, same, 2, actual == value, OpKind::kAssume);
  return false;
}

void Interpreter::announce_branch(ThreadId t, TermId value, std::uint32_t outcomes, std::uint32_t actual, OpKind kind) {
  Thread& th = thread(t);
  if (th.steps == options_.max_steps) [[unlikely]] {
    cut_ = true;
    return stop(t);
  }
  th.branch_on = value;
  th.outcomes = outcomes;
  th.actual = actual;
  th.judged = false;
  Step step;
  step.where = where(th);
  step.op.kind = kind;
  step.op.object = kNoObject;
  step.op.before = value.value;
  step.op.after = actual;
  step.set = ChoiceSet::below(outcomes);
  th.state = State::kReady;
  enabled_.insert(t);
  conductor_.announce(t, step);
}

// Puts the possible outcomes into the pending branch of t. False: they are there already, or it is no branch.
bool Interpreter::judge_outcomes(ThreadId t) {
  Step& pending = conductor_.pending(t);
  if (pending.op.kind != OpKind::kBranch && pending.op.kind != OpKind::kAssume) return false;
  Thread& th = thread(t);
  if (th.judged && th.judged_at == space_->path()) return false;
  th.judged = true;
  th.judged_at = space_->path();
  if (options_.inputs == InputMode::kGiven) {
    pending.set = ChoiceSet::of(th.actual);
  } else if (pending.op.kind == OpKind::kAssume) {
    pending.set = ChoiceSet::of(th.actual == 1 || space_->possible(th.branch_on, 1) ? 1 : 0);
  } else {
    pending.set = space_->outcomes(th.branch_on, th.outcomes, th.actual);
    pending.op.after = space_->first_outcome(th.branch_on, pending.set, th.actual);
    ChoiceSet fresh = pending.set - seen_outcomes_[th.pc];
    if (options_.branch_order == BranchOrder::kNewCoverage && !fresh.empty() && !fresh.contains(pending.op.after))
      pending.op.after = fresh.first();
    if (options_.branch_order == BranchOrder::kRandom) {
      std::uint64_t skip = combine(options_.branch_seed, combine(space_->outcomes_so_far(), th.pc)) %
                           static_cast<std::uint64_t>(pending.set.size());
      pending.set.for_each([&](std::size_t outcome) {
        if (skip-- == 0) pending.op.after = outcome;
      });
    }
  }
  if (space_->undecided()) leave_open(th, "the solver could not decide a branch in time");
  return true;
}

void Interpreter::perform_branch(ThreadId t, const Instruction& i, const Step& decided) {
  Thread& th = thread(t);
  Step step = decided;
  step.op.after = th.outcomes;
  note_path(step);
  if (options_.inputs != InputMode::kGiven && !space_->take(th.branch_on, step.choice, th.actual)) {
    restart_ = true;
    return;
  }
  conductor_.performed(step);
  ++th.steps;
  ++th.stage;
  if (!seen_outcomes_[th.pc].contains(step.choice)) {
    seen_outcomes_[th.pc].insert(step.choice);
    first_seen_.emplace_back(th.pc, step.choice);
  }
  after_branch(t, i, step.choice);
}

// What an outcome means beyond letting the instruction be carried out.
void Interpreter::after_branch(ThreadId t, const Instruction& i, std::uint32_t outcome) {
  if (conductor_.pending(t).op.kind == OpKind::kAssume && outcome == 0) return give_up(t);
  if (outcome == 0 && can_overflow(i.op)) return fail(t, FailureKind::kOverflow, "signed overflow");
  advance(t);
}

void Interpreter::leave_open(const Thread& th, std::string what) {
  left_open_.try_emplace(place_of(th), std::move(what));
}

// Terms follow the values of a memory operation. Cells that are compared never hold any (known_operands).
void Interpreter::move_terms(Thread& th, const Instruction& i, ObjectId object) {
  TermId* const tm = th.terms + th.window;
  TermId& cell = value_terms_[object.index()];
  switch (i.op) {
    case Op::kLoad:
      tm[i.a] = cell;
      return;
    case Op::kStore:
      cell = tm[i.a];
      return;
    case Op::kFetchAdd: {
      const TermId found = cell;
      if (found != kNoTerm || tm[i.c] != kNoTerm) {
        symbolic::TermStore& terms = space_->terms();
        const auto old = static_cast<std::uint32_t>(values_[object.index()]);
        const TermId sum =
            terms.make(TermKind::kAdd, found != kNoTerm ? found : terms.constant(kWord, old), term_of(th, i.c));
        cell = terms.is_constant(sum) ? kNoTerm : sum;
      }
      tm[i.a] = found;
      return;
    }
    case Op::kExchange: {
      const TermId found = cell;
      cell = tm[i.c];
      tm[i.a] = found;
      return;
    }
    case Op::kCas:
      tm[i.a] = kNoTerm;
      return;
    default:
      return;
  }
}

}  // namespace heddle::model
