#include "stateful/marked_states.h"

#include <algorithm>

namespace heddle::stateful {

using net::kNoLocal;
using net::LocalId;
using symbolic::TermId;

MarkedStates::MarkedStates(net::ProgramNet& net, unfold::GlobalQuestions questions)
    : net_(net), asked_(std::move(questions)) {
  for (property::Property& p : asked_.properties) questions_.emplace_back(std::move(p), net, asked_.locator);
}

void MarkedStates::learn(const trace::Execution& execution) {
  for (Question& question : questions_) question.shown = question.shown || question.property->shown_by(execution);
}

bool MarkedStates::wanted(const net::Marking& marking, bool deadlocked) {
  for (Question& question : questions_) {
    if (question.shown || question.tried == unfold::kMostTries) continue;  // undecided() says so
    const bool again = question.tried > 0 && question.asked == marking.hash();
    if (again || !holds(question, marking, deadlocked)) continue;
    question.asked = marking.hash();
    ++question.tried;
    return true;
  }
  return false;
}

bool MarkedStates::undecided() const {
  return undecided_ ||
         std::any_of(questions_.begin(), questions_.end(), [](const Question& q) { return q.tried > 0 && !q.shown; });
}

bool MarkedStates::holds(Question& question, const net::Marking& marking, bool deadlocked) {
  question.atoms.read(marking, deadlocked, values_);
  property::Expression& expression = question.property->expression;
  const bool symbolic = asked_.space != nullptr && std::any_of(values_.begin(), values_.end(), [](const auto& v) {
                          return v.term != symbolic::kNoTerm;
                        });
  if (symbolic) return satisfiable(question, marking);
  numbers_.resize(values_.size());
  for (std::size_t a = 0; a < values_.size(); ++a) numbers_[a] = values_[a].value;
  if (expression.terms.evaluate(question.property->target, numbers_) == 0) return false;
  return asked_.space == nullptr || satisfiable(question, marking);
}

// Inputs that lead along the branches of all threads to values with which the condition holds.
bool MarkedStates::satisfiable(Question& question, const net::Marking& marking) {
  symbolic::InputSpace& space = *asked_.space;
  const property::Property& property = *question.property;
  std::vector<TermId> conditions{property::substitute(property.expression, property.target, values_, space.terms())};
  for (std::size_t t = 0; t < marking.threads(); ++t) {
    const LocalId p = marking.local(ThreadId(static_cast<std::uint16_t>(t)));
    for (LocalId b = p == kNoLocal ? p : net_[p].branch; b != kNoLocal; b = net_[net_[b].parent].branch)
      conditions.push_back(
          space.condition(TermId(static_cast<std::uint32_t>(net_[net_[b].parent].expected)), net_[net_[b].by].choice));
  }
  symbolic::Assignment inputs;
  const symbolic::Answer answer = space.queries().ask(std::move(conditions), space.last_inputs(), inputs);
  undecided_ = undecided_ || answer == symbolic::Answer::kUnknown;
  if (answer != symbolic::Answer::kSat) return false;
  asked_.prefer(inputs);
  return true;
}

}  // namespace heddle::stateful
