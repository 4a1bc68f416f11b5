#include "explore/prefix.h"

namespace heddle::explore {

void PrefixProgram::run(const Schedule& schedule, Execution& execution) {
  const std::size_t length = prefix_.size();
  behind_ = schedule;
  behind_.steps.insert(behind_.steps.begin(), prefix_.begin(), prefix_.end());
  behind_.fresh = started_ ? schedule.fresh + length : 0;
  started_ = true;
  whole_.run(behind_, full_);
  execution = full_;
  const auto cut = static_cast<std::ptrdiff_t>(std::min(length, execution.steps.size()));
  execution.steps.erase(execution.steps.begin(), execution.steps.begin() + cut);
  const auto shift = static_cast<EventIndex>(cut);
  for (Failure& failure : execution.failures) failure.step -= std::min(failure.step, shift);
  if (execution.diverged_at != kNoEvent) execution.diverged_at -= std::min(execution.diverged_at, shift);
}

}  // namespace heddle::explore
