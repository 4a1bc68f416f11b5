#include "check/state_oracle.h"

#include <algorithm>
#include <map>

#include "base/random.h"
#include "check/enumeration.h"
#include "trace/input_names.h"

namespace heddle::check {

using namespace trace;
using property::Atom;
using property::AtomKind;

namespace {

// The state after the first `done` steps.
class State {
 public:
  State(const Execution& execution, std::size_t done) : execution_(execution), done_(done) {}

  std::uint64_t value_of(const Atom& atom) const {
    switch (atom.kind) {
      case AtomKind::kValue:
        return value(atom);
      case AtomKind::kLocked:
        return holders(atom, false) > 0;
      case AtomKind::kHeldBy:
        return holders(atom, true) > 0;
      case AtomKind::kAt: {
        const std::optional<std::uint32_t> where = place(atom);
        return where && std::any_of(atom.places.begin(), atom.places.end(),
                                    [&](const auto& range) { return range.first <= *where && *where <= range.last; });
      }
      case AtomKind::kEnded:
        return ended(atom);
      case AtomKind::kDeadlock:
        return done_ == execution_.steps.size() && execution_.outcome == Outcome::kDeadlock;
    }
    return 0;
  }

 private:
  std::uint64_t value(const Atom& atom) const {
    std::uint64_t value = atom.initial;
    for (std::size_t i = 0; i < done_; ++i) {
      const Operation& op = execution_.steps[i].op;
      const bool writes = op.kind == OpKind::kWrite || op.kind == OpKind::kUpdate || op.kind == OpKind::kCas;
      if (op.object == atom.object && writes) value = op.after;
    }
    return value & 0xffffffffu;  // models have no others
  }

  int holders(const Atom& atom, bool own) const {
    int count = 0;
    for (std::size_t i = 0; i < done_; ++i) {
      const Step& s = execution_.steps[i];
      if (s.op.object != atom.object || (own && s.thread != atom.thread)) continue;
      if (s.op.kind == OpKind::kAcquire || s.op.kind == OpKind::kTryAcquire) ++count;
      if (s.op.kind == OpKind::kRelease || s.op.kind == OpKind::kWaitRelease) --count;
    }
    return count;
  }

  bool begun(const Atom& atom) const {
    if (atom.from_start) return true;
    for (std::size_t i = 0; i < done_; ++i)
      if (execution_.steps[i].op.kind == OpKind::kSpawn && execution_.steps[i].op.peer == atom.thread) return true;
    return false;
  }

  const Step* next_step(ThreadId t) const {
    for (std::size_t i = done_; i < execution_.steps.size(); ++i)
      if (execution_.steps[i].thread == t) return &execution_.steps[i];
    for (const Pending& p : execution_.pending)
      if (p.step.thread == t) return &p.step;
    return nullptr;
  }

  const Step* last_step(ThreadId t) const {
    for (std::size_t i = execution_.steps.size(); i-- > 0;)
      if (execution_.steps[i].thread == t) return &execution_.steps[i];
    return nullptr;
  }
  // Of a model's thread: in a wait from which nobody wakes it.
  bool parked(ThreadId t) const {
    const Step* last = last_step(t);
    return last != nullptr && last->op.kind == OpKind::kWaitRelease;
  }

  std::optional<std::uint32_t> place(const Atom& atom) const {
    const ThreadId t = atom.thread;
    if (!begun(atom)) return std::nullopt;
    if (const Step* next = next_step(t)) return next->where;
    if (execution_.stopped.contains(t)) {
      for (const IdleTurn& turn : execution_.idle_turns)
        if (turn.thread == t)
          for (std::size_t i = turn.first; i < execution_.steps.size(); ++i)
            if (execution_.steps[i].thread == t) return execution_.steps[i].where;
      for (const Failure& f : execution_.failures)
        if (f.thread == t) return f.where;
      return std::nullopt;
    }
    if (parked(t)) return last_step(t)->where;
    return std::nullopt;
  }

  bool ended(const Atom& atom) const {
    const ThreadId t = atom.thread;
    return begun(atom) && next_step(t) == nullptr && !execution_.stopped.contains(t) && !parked(t);
  }

  const Execution& execution_;
  std::size_t done_;
};

}  // namespace

bool passes(const Execution& execution, property::Property& property) {
  property::Expression& expression = property.expression;
  for (std::size_t done = 0; done <= execution.steps.size(); ++done) {
    const State state(execution, done);
    symbolic::Assignment values;
    for (const Atom& atom : expression.atoms) values.push_back(state.value_of(atom));
    if (expression.terms.evaluate(property.target, values) != 0) return true;
  }
  return false;
}

std::optional<bool> reachable(Program& program, property::Property& property, std::uint64_t limit) {
  Enumeration interleavings(program);
  Execution execution;
  bool found = false;
  for (std::uint64_t n = 0; interleavings.next(execution);) {
    if (++n > limit) return std::nullopt;
    if (execution.unwanted.empty() && !found) found = passes(execution, property);
  }
  return found;
}

std::optional<bool> reachable_with_inputs(const std::string& text, const property::Statement& statement,
                                          InputRange range, std::uint64_t limit) {
  std::map<std::string, std::int64_t> given;
  for (;;) {
    model::ModelOptions options;
    options.inputs = model::InputMode::kGiven;
    options.given = given;
    auto model = model::load_model_text(text, "oracle.hed", {}, options);
    REQUIRE(model.ok());
    auto property = property::make_property(statement, *(*model)->property_names());
    REQUIRE(property.ok());
    // All inputs that any interleaving reads have a value: one that is met first begins with 0.
    Enumeration interleavings(**model);
    Execution execution;
    bool found = false;
    for (std::uint64_t n = 0; interleavings.next(execution);) {
      if (++n > limit) return std::nullopt;
      for (const auto& [name, value] : inputs_by_name(execution, **model)) given.try_emplace(name, 0);
      if (execution.unwanted.empty() && !found) found = passes(execution, *property);
    }
    if (found) return true;
    if (given.size() > range.inputs) return std::nullopt;
    // The next values, as a number to the base `most` + 1.
    auto digit = given.begin();
    while (digit != given.end() && digit->second == range.most) (digit++)->second = 0;
    if (digit == given.end()) return false;
    ++digit->second;
  }
}

namespace {

class Conditions {
 public:
  Conditions(const property::Names& names, std::uint64_t seed) : names_(names), random_(seed) {
    variables_ = names.known(property::NameKind::kVariable, "");
    locks_ = names.known(property::NameKind::kLock, "");
    threads_ = names.known(property::NameKind::kThread, "");
    for (int line = 1; line < 60; ++line)
      if (const std::string text = std::to_string(line); names.line(text).complaint.empty()) lines_.push_back(text);
  }

  std::string condition(int depth) {
    switch (depth == 0 ? 0 : random_.below(6)) {
      case 0:
        return atom();
      case 1:
        return "!(" + condition(depth - 1) + ")";
      case 2:
      case 3:
        return "(" + condition(depth - 1) + ") || (" + condition(depth - 1) + ")";
      default:
        return "(" + condition(depth - 1) + ") && (" + condition(depth - 1) + ")";
    }
  }

 private:
  const std::string& one_of(const std::vector<std::string>& list) { return list[random_.below(list.size())]; }

  std::string value() {
    if (variables_.empty()) return "0";
    const std::string& first = one_of(variables_);
    if (random_.below(3) > 0) return first;
    const char* operators[] = {" + ", " - ", " * ", " & ", " ^ ", " << "};
    return "(" + first + operators[random_.below(6)] + one_of(variables_) + ")";
  }

  std::string atom() {
    const char* comparisons[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
    switch (random_.below(9)) {
      case 0:
        if (!locks_.empty()) return "locked(" + one_of(locks_) + ")";
        break;
      case 1:
        if (!locks_.empty()) return "held_by(" + one_of(locks_) + ", " + one_of(threads_) + ")";
        break;
      case 2:
        return "in(" + one_of(threads_) + ", " + one_of(lines_) + ")";
      case 3:
        return "ended(" + one_of(threads_) + ")";
      case 4:
        if (random_.below(3) == 0) return "deadlock";
        break;
      default:
        break;
    }
    return value() + comparisons[random_.below(6)] + std::to_string(random_.below(4));
  }

  const property::Names& names_;
  Random random_;
  std::vector<std::string> variables_, locks_, threads_, lines_;
};

}  // namespace

std::string random_condition(const property::Names& names, std::uint64_t seed) {
  return Conditions(names, seed).condition(2);
}

}  // namespace heddle::check
