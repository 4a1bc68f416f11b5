#include "explore/clock_vector.h"

#include "explore/dpor.h"

namespace heddle::explore {

bool SharedObjects::observe(const Execution& execution, EventIndex fresh) {
  bool grew = false;
  const auto access = [&](const Step& step) {
    if (step.op.kind == OpKind::kTerminate && !process_ends_) grew = process_ends_ = true;
    if (step.op.object == kNoObject) return;
    if (step.op.object.index() >= accessed_.size()) accessed_.resize(step.op.object.index() + 1);
    ThreadSet& threads = accessed_[step.op.object.index()];
    const int known = threads.size();
    threads.insert(step.thread);
    grew = grew || (known == 1 && threads.size() == 2);
  };
  for (EventIndex i = fresh; i < execution.steps.size(); ++i) access(execution.steps[i]);
  for (const Pending& p : execution.pending) access(p.step);  // who waits for a lock shares it
  return grew;
}

bool SharedObjects::shared(const Step& step) const {
  if (process_ends_) return true;
  return step.op.object != kNoObject && step.op.object.index() < accessed_.size() &&
         accessed_[step.op.object.index()].size() >= 2;
}

bool SharedObjects::at_thread_boundary(const Execution& execution, EventIndex i) {
  if (i == 0) return true;
  const Step& previous = execution.steps[i - 1];
  if (previous.op.kind == OpKind::kSpawn) return true;
  for (EventIndex k = i; k < execution.steps.size(); ++k)
    if (execution.steps[k].thread == previous.thread) return false;
  for (const Pending& p : execution.pending)
    if (p.step.thread == previous.thread) return false;
  return true;
}

std::uint64_t SharedObjects::count_states(const Execution& execution, EventIndex fresh) const {
  std::uint64_t states = 1;  // the final one
  for (EventIndex i = fresh + (fresh > 0 ? 1 : 0); i < execution.steps.size(); ++i)
    if (shared(execution.steps[i]) || at_thread_boundary(execution, i)) ++states;
  return states;
}

void ClockVector::learn(const Execution& execution) {
  tree_.grow(execution);
  sharing_.observe(execution, tree_.fresh());
  states_ += sharing_.count_states(execution, tree_.fresh());
  for (EventIndex i = tree_.fresh(); i < tree_.size(); ++i)
    if (SharedObjects::at_thread_boundary(execution, i)) tree_.add_all(i);  // lines 41-42
  next_.for_each(execution, tree_.fresh(), before_, [&](EventIndex state, const Step& v) {
    if (race_with_end(tree_, execution, before_, state, v)) return;
    if (v.op.object == kNoObject || !sharing_.shared(v)) return;              // line 26
    const EventIndex i = last_co_enabled_write(execution, before_, v);        // line 27
    if (i != kNoEvent && !before_.before_next(i, v)) tree_.add(i, v.thread);  // lines 28-32
  });
  next_.for_each_withdrawn(execution, tree_.fresh(), before_, [&](EventIndex e, ThreadId t) { tree_.add(e, t); });
  if (tree_.sleep_sets()) source_sets_.cover_races(tree_, execution);
}

void JpfSharing::learn(const Execution& execution) {
  tree_.grow(execution);
  const bool grew = sharing_.observe(execution, tree_.fresh());
  states_ += sharing_.count_states(execution, tree_.fresh());
  for (EventIndex i = grew ? 0 : tree_.fresh(); i < tree_.size(); ++i)
    if (sharing_.shared(execution.steps[i]) || SharedObjects::at_thread_boundary(execution, i)) tree_.add_all(i);
}

}  // namespace heddle::explore
