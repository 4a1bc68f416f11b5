#include "symbolic/input_space.h"

#include <algorithm>

#include "base/assert.h"
#include "base/random.h"

namespace heddle::symbolic {

void InputSpace::begin(PathId start) {
  inputs_ = paths_.inputs(wanted_ != kEmptyPath ? wanted_ : start);
  follows_preferred_ = preferred_ && wanted_ == kEmptyPath;
  if (follows_preferred_) inputs_ = std::move(*preferred_);
  preferred_.reset();
  path_ = wanted_ = kEmptyPath;
  outcomes_so_far_ = 0;
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

namespace {

// The least inputs of a path are looked for with so many questions at most.
constexpr int kMostQuestions = 4'000;

}  // namespace

Assignment InputSpace::least_inputs(std::vector<TermId> conditions) {
  Assignment inputs(store_.inputs(), 0);
  if (store_.all_hold(conditions, inputs)) return inputs;
  if (queries_.ask(conditions, last_inputs(), inputs) != Answer::kSat) return last_inputs();
  inputs.resize(store_.inputs(), 0);
  // By their names: in which order they were met is a matter of what was explored before.
  std::vector<std::size_t> ordinals;
  for (std::size_t i = 0; i < store_.inputs(); ++i) ordinals.push_back(i);
  std::ranges::sort(ordinals, {}, [&](std::size_t i) { return store_.input_name(i); });
  int questions = 0;
  const auto can_be = [&](TermId condition) {
    conditions.push_back(condition);
    Assignment found;
    if (store_.evaluate(condition, inputs) != 0) return true;
    const bool sat = ++questions <= kMostQuestions && queries_.ask(conditions, inputs, found) == Answer::kSat;
    if (sat) inputs = std::move(found);
    if (!sat) conditions.pop_back();
    return sat;
  };
  for (const std::size_t i : ordinals) {
    const TermId input = store_.input_term(i);
    const unsigned width = store_.width(input);
    if (can_be(store_.equals(input, 0))) continue;
    std::uint64_t least = 0;
    for (unsigned bit = width; bit-- > 0;)
      if (!can_be(store_.equals(store_.extract(input, bit, width - bit), least >> bit)))
        least |= std::uint64_t{1} << bit;
    conditions.push_back(store_.equals(input, least));
  }
  return inputs;
}

std::size_t InputSpace::first_outcome(TermId value, const SmallSet& possible, std::size_t actual) {
  if (follows_preferred_) return actual;
  const Bits at_zero = store_.at_zero(value);
  const bool can_be = at_zero < kMaxThreads && possible.contains(static_cast<std::size_t>(at_zero));
  return can_be ? static_cast<std::size_t>(at_zero) : possible.first();
}

std::uint64_t InputSpace::first_value(TermId value, std::uint64_t actual) {
  const auto can_be = [&](TermId condition) {
    const Answer answer = paths_.feasible(path_, condition);
    if (answer == Answer::kUnknown) undecided_ = true;
    return answer;
  };
  const auto at_zero = static_cast<std::uint64_t>(store_.at_zero(value));
  if (at_zero == actual || can_be(store_.equals(value, at_zero)) == Answer::kSat) return at_zero;
  // The least, bit by bit from the top.
  std::uint64_t least = 0;
  const unsigned width = std::min(store_.width(value), 64u);
  for (unsigned bit = width; bit-- > 0;) {
    const Answer answer = can_be(store_.equals(store_.extract(value, bit, width - bit), least >> bit));
    if (answer == Answer::kUnknown) return actual;
    if (answer == Answer::kUnsat) least |= std::uint64_t{1} << bit;
  }
  return least;
}

bool InputSpace::possible(TermId value, std::size_t outcome) {
  const Answer answer = paths_.feasible(path_, condition(value, outcome));
  if (answer == Answer::kUnknown) undecided_ = true;
  return answer == Answer::kSat;
}

bool InputSpace::take(TermId value, std::size_t outcome, std::size_t actual) {
  const TermId c = condition(value, outcome);
  const bool here = outcome == actual;
  outcomes_so_far_ = combine(outcomes_so_far_, outcome + 1);
  path_ = paths_.extend(path_, c, here ? &inputs_ : nullptr);
  if (here) return true;
  INVARIANT(paths_.has_inputs(path_));
  wanted_ = path_;
  return false;
}

}  // namespace heddle::symbolic
