#include "explore/selective_sampling.h"

#include <algorithm>
#include <bit>

#include "base/random.h"
#include "explore/sampling.h"
#include "trace/dependence.h"

namespace heddle::explore {

bool SelectiveSampling::next(Schedule& schedule) {
  draw_anew(schedule, TailKind::kUniform, combine(seed_, drawn_++));
  Random random(mix(schedule.tail.seed));
  const bool all = shared_.empty() || random.below(4) == 0;
  const ObjectId selected = all ? kNoObject : shared_[random.below(shared_.size())];
  schedule.tail.selected = selected;
  schedule.tail.weights = all ? all_.steps : objects_[selected.index()].steps;
  return true;
}

void SelectiveSampling::learn(const Execution& execution) {
  if (drawn_ <= 8 || std::has_single_bit(drawn_)) count(execution);
}

void SelectiveSampling::count(const Execution& execution) {
  const auto begin = [&](Profile& p) { p.steps.assign(execution.threads, 0); };
  begin(all_);
  for (Profile& p : objects_) begin(p);
  for (const Step& step : execution.steps) {
    ++all_.steps[step.thread.index()];
    if (step.op.object == kNoObject) continue;
    const std::size_t i = step.op.object.index();
    if (i >= objects_.size()) objects_.resize(i + 1);
    Profile& p = objects_[i];
    if (p.steps.empty()) begin(p);
    ++p.steps[step.thread.index()];
    p.changes = p.changes || trace::access_of(step.op.kind) == trace::Access::kWrites;
    if (p.shared || !p.changes || p.steps.size() - static_cast<std::size_t>(std::ranges::count(p.steps, 0u)) < 2)
      continue;
    p.shared = true;
    shared_.push_back(step.op.object);
  }
  add_started(execution, all_.steps);
  for (const ObjectId object : shared_) add_started(execution, objects_[object.index()].steps);
}

// What a thread has started counts as its own: latest first, so that what that has started is counted already.
void SelectiveSampling::add_started(const Execution& execution, Weights& steps) const {
  for (auto step = execution.steps.rbegin(); step != execution.steps.rend(); ++step)
    if (step->op.kind == trace::OpKind::kSpawn) steps[step->thread.index()] += steps[step->op.peer.index()];
}

}  // namespace heddle::explore
