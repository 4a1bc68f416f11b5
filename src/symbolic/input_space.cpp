#include "symbolic/input_space.h"

#include "base/assert.h"

namespace heddle::symbolic {

void InputSpace::begin(PathId start) {
  inputs_ = paths_.inputs(wanted_ != kEmptyPath ? wanted_ : start);
  if (preferred_ && wanted_ == kEmptyPath) inputs_ = std::move(*preferred_);
  preferred_.reset();
  path_ = wanted_ = kEmptyPath;
}

bool InputSpace::again() {
  if (wanted_ == kEmptyPath) return false;
  ++restarts_;
  return true;
}

std::uint64_t InputSpace::value_of(TermId input) const {
  const auto ordinal = static_cast<std::size_t>(store_[input].value);
  return ordinal < inputs_.size() ? inputs_[ordinal] : 0;
}

TermId InputSpace::condition(TermId value, std::size_t outcome) {
  if (store_.width(value) > 1) return store_.equals(value, outcome);
  return outcome != 0 ? value : store_.negation(value);
}

SmallSet InputSpace::outcomes(TermId value, std::size_t count, std::size_t actual) {
  SmallSet set;
  for (std::size_t outcome = 0; outcome < count; ++outcome) {
    if (outcome == actual) {
      paths_.extend(path_, condition(value, outcome), &inputs_);
      set.insert(outcome);
    } else if (possible(value, outcome)) {
      set.insert(outcome);
    }
  }
  return set;
}

bool InputSpace::possible(TermId value, std::size_t outcome) {
  const Answer answer = paths_.feasible(path_, condition(value, outcome));
  if (answer == Answer::kUnknown) undecided_ = true;
  return answer == Answer::kSat;
}

bool InputSpace::take(TermId value, std::size_t outcome, std::size_t actual) {
  const TermId c = condition(value, outcome);
  const bool here = outcome == actual;
  path_ = paths_.extend(path_, c, here ? &inputs_ : nullptr);
  if (here) return true;
  INVARIANT(paths_.has_inputs(path_));
  wanted_ = path_;
  return false;
}

}  // namespace heddle::symbolic
