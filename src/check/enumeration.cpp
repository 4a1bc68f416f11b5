#include "check/enumeration.h"

namespace heddle::check {

using namespace trace;

bool Enumeration::next(Execution& execution) {
  if (begun_) {
    while (!left_.empty() && left_.back().empty()) left_.pop_back();
    if (left_.empty()) return false;
    schedule_.steps.clear();
    for (std::size_t i = 0; i + 1 < left_.size(); ++i)
      schedule_.steps.push_back({execution.steps[i].thread, execution.steps[i].choice});
    schedule_.steps.push_back(left_.back().back());
    new_thread_ = left_.back().back().choice == kAnyChoice;
    left_.back().pop_back();
  }
  begun_ = true;
  program_.run(schedule_, execution);
  note_alternatives(execution);
  return true;
}

void Enumeration::note_alternatives(const Execution& execution) {
  const std::size_t known = left_.size();
  left_.resize(execution.steps.size());
  for (std::size_t i = known == 0 ? 0 : known - 1; i < execution.steps.size(); ++i) {
    const Step& s = execution.steps[i];
    if (i >= known)
      s.enabled.for_each_thread([&](ThreadId t) {
        if (t != s.thread) left_[i].push_back({t, kAnyChoice});
      });
    if (has_alternatives(s.op.kind) && (i >= known || new_thread_))
      s.set.for_each([&](std::size_t c) {
        if (c != s.choice) left_[i].push_back({s.thread, static_cast<std::uint16_t>(c)});
      });
  }
}

}  // namespace heddle::check
