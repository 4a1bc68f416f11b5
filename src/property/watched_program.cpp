#include "property/watched_program.h"

#include <algorithm>

namespace heddle::property {

using symbolic::TermId;
using trace::Decision;
using trace::Execution;
using trace::Outcome;
using trace::Step;

namespace {

bool on_inputs(const Step& step) {
  return step.op.kind == trace::OpKind::kBranch || step.op.kind == trace::OpKind::kAssume;
}

// What happens in it counts. One that ends asleep is gone through to its end elsewhere.
bool counts(const Execution& execution) {
  return execution.outcome != Outcome::kAsleep && execution.outcome != Outcome::kDiverged && execution.unwanted.empty();
}

}  // namespace

WatchedProgram::WatchedProgram(trace::Program& program, std::vector<Property> properties, Look look,
                               InputQuestions inputs, Changes::Locator locator)
    : program_(program),
      properties_(std::move(properties)),
      look_(look),
      inputs_(std::move(inputs)),
      locator_(std::move(locator)) {
  for (Property& property : properties_) {
    ClassStates::Judge judge;
    if (inputs_.space != nullptr)
      judge = [this, &property](TermId condition, const std::vector<AtomValue>& values,
                                const std::vector<EventIndex>& cut) {
        std::vector<const Step*> path;
        for (const EventIndex i : cut) path.push_back(&execution_->steps[i]);
        if (inputs_.assumes)
          for (const Step& step : execution_->steps) path.push_back(&step);
        symbolic::Assignment found;
        return satisfiable(property.expression, condition, values, path, found);
      };
    states_.emplace_back(property, locator_, std::move(judge));
  }
}

void WatchedProgram::run(const trace::Schedule& schedule, Execution& execution) {
  program_.run(schedule, execution);
  execution_ = &execution;
  if (!counts(execution)) return;
  if (look_ == Look::kClass) return look_at_class(execution);
  const std::size_t failures = execution.failures.size();
  look_along(execution);
  if (look_ == Look::kAlong || inputs_.space == nullptr || execution.failures.size() > failures) return;
  symbolic::Assignment inputs;
  EventIndex steps = 0;
  if (!look_for_inputs(execution, inputs, steps)) return;
  trace::Schedule again = schedule;
  again.steps.resize(std::max<std::size_t>(steps, std::min(again.steps.size(), execution.steps.size())));
  for (EventIndex i = 0; i < steps; ++i) again.steps[i] = {execution.steps[i].thread, execution.steps[i].choice};
  inputs_.prefer(inputs);
  program_.run(again, execution);
  if (counts(execution)) look_along(execution);
}

void WatchedProgram::look_at_class(Execution& execution) {
  const std::size_t most = std::min(looked_at_.size(), execution.steps.size());
  std::size_t common = 0;
  while (common < most && looked_at_[common].thread == execution.steps[common].thread &&
         looked_at_[common].choice == execution.steps[common].choice)
    ++common;
  looked_at_.resize(common);
  for (std::size_t i = common; i < execution.steps.size(); ++i)
    looked_at_.push_back({execution.steps[i].thread, execution.steps[i].choice});
  // What inputs can make of a state that was looked at depends on how the execution goes on.
  const auto& terms = execution.written_terms;
  if (inputs_.space != nullptr && inputs_.assumes && !terms.empty() && terms.front().step < common) common = 0;
  bool found = false;
  for (std::size_t p = 0; p < properties_.size(); ++p) {
    std::vector<EventIndex> cut;
    if (!states_[p].find(execution, static_cast<EventIndex>(common), cut)) continue;
    trace::Failure failure = properties_[p].failure(static_cast<EventIndex>(cut.size()));
    failure.after = std::move(cut);
    execution.failures.push_back(std::move(failure));
    found = true;
  }
  // Nobody may have listened (a run beside the search), and the search ended at what was found.
  if (found) looked_at_.clear();
}

// The first state of the execution in which a property is violated.
void WatchedProgram::look_along(Execution& execution) {
  bool violated = false;
  for (Property& property : properties_) {
    Changes changes(property.expression.atoms, locator_);
    changes.read(execution);
    unseen_ = unseen_ || changes.unseen();
    symbolic::Assignment numbers;
    for (const AtomValue& v : changes.initial()) numbers.push_back(v.value);
    const auto& atoms = property.expression.atoms;
    const auto& list = changes.list();
    std::size_t next = 0;
    for (EventIndex done = 0; done <= execution.steps.size(); ++done) {
      const bool last = done == execution.steps.size();
      const std::size_t before = next;
      while (next < list.size() && list[next].step < done) {
        numbers[list[next].atom] = list[next].to.value;
        ++next;
      }
      if (done > 0 && before == next && !(last && changes.deadlocked())) continue;
      if (last && changes.deadlocked())
        for (std::size_t a = 0; a < atoms.size(); ++a)
          if (atoms[a].kind == AtomKind::kDeadlock) numbers[a] = 1;
      if (property.expression.terms.evaluate(property.target, numbers) == 0) continue;
      execution.failures.push_back(property.failure(done));
      execution.failures.back().state = property.describe(numbers);
      violated = true;
      break;
    }
  }
  if (violated && execution.outcome == Outcome::kComplete) execution.outcome = Outcome::kFailed;
}

// Inputs that lead along the first steps to a state that is looked for.
bool WatchedProgram::look_for_inputs(const Execution& execution, symbolic::Assignment& inputs, EventIndex& steps) {
  if (execution.written_terms.empty()) return false;
  for (Property& property : properties_) {
    Changes changes(property.expression.atoms, locator_);
    changes.read(execution);
    std::vector<AtomValue> values = changes.initial();
    std::vector<const Step*> path;
    for (const Change& change : changes.list()) {
      while (path.size() <= change.step) path.push_back(&execution.steps[path.size()]);
      values[change.atom] = change.to;
      if (change.to.term == symbolic::kNoTerm &&
          std::none_of(values.begin(), values.end(), [](const AtomValue& v) { return v.term != symbolic::kNoTerm; }))
        continue;
      steps = change.step + 1;
      if (inputs_.assumes) {
        steps = static_cast<EventIndex>(execution.steps.size());
        for (std::size_t i = path.size(); i < steps; ++i) path.push_back(&execution.steps[i]);
      }
      if (satisfiable(property.expression, property.target, values, path, inputs)) return true;
    }
  }
  return false;
}

bool WatchedProgram::satisfiable(const Expression& expression, TermId condition, const std::vector<AtomValue>& values,
                                 const std::vector<const Step*>& path, symbolic::Assignment& inputs) {
  symbolic::InputSpace& space = *inputs_.space;
  std::vector<TermId> conditions{substitute(expression, condition, values, space.terms())};
  for (const Step* step : path)
    if (on_inputs(*step))
      conditions.push_back(space.condition(TermId(static_cast<std::uint32_t>(step->op.before)), step->choice));
  const symbolic::Answer answer = space.queries().ask(std::move(conditions), space.last_inputs(), inputs);
  undecided_ = undecided_ || answer == symbolic::Answer::kUnknown;
  return answer == symbolic::Answer::kSat;
}

std::string WatchedProgram::left_open() const {
  if (std::any_of(states_.begin(), states_.end(), [](const ClassStates& s) { return s.gave_up(); }))
    return "an execution has more states than could be looked at for a property";
  if (unseen_ || std::any_of(states_.begin(), states_.end(), [](const ClassStates& s) { return s.unseen(); }))
    return "a variable of a property is changed by code that Heddle does not see";
  return undecided_ ? "the solver could not decide whether a state can be reached" : std::string();
}

}  // namespace heddle::property
