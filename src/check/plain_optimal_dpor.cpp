#include "check/plain_optimal_dpor.h"

#include <algorithm>

#include "trace/dependence.h"
#include "trace/happens_before.h"
#include "trace/reversal.h"
#include "trace/withdrawal.h"

namespace heddle::check {

using namespace trace;

bool PlainOptimalDpor::next(Schedule& schedule) {
  schedule = {};
  schedule.sleep_rule = SleepRule::kStop;
  if (!started_) return started_ = true;
  while (!nodes_.empty() && nodes_.back().wut.empty()) nodes_.pop_back();
  if (nodes_.empty()) return false;
  fresh_ = nodes_.size() - 1;
  nodes_.back().sleep.push_back(path_[fresh_]);  // 19, 20
  path_.resize(fresh_);
  for (const Step& step : path_) schedule.steps.push_back({step.thread, step.choice});
  schedule.fresh = fresh_;
  schedule.sleep = nodes_.back().sleep;
  planned_.clear();
  for (Tree* tree = &nodes_.back().wut; !tree->empty(); tree = &planned_.back()) {
    Branch first = std::move(tree->front());  // 15
    tree->erase(tree->begin());
    schedule.steps.push_back({first.p.thread, first.p.choice});
    planned_.push_back(std::move(first.subtree));  // 17
  }
  return true;
}

void PlainOptimalDpor::learn(const Execution& execution) {
  path_ = execution.steps;
  for (std::size_t i = nodes_.size(); i < path_.size(); ++i) {
    Node node;
    if (i > 0)
      for (const Step& q : nodes_[i - 1].sleep)
        if (!dependent(q, path_[i - 1])) node.sleep.push_back(q);                                        // 16
    if (i > fresh_ && i - fresh_ - 1 < planned_.size()) node.wut = std::move(planned_[i - fresh_ - 1]);  // 9
    nodes_.push_back(std::move(node));
  }
  HappensBefore before;
  struct Race {
    EventIndex first;
    Step then;
  };
  std::vector<Race> races;
  std::vector<EventIndex> starts;
  const auto collect = [&](const Step& second, bool with_the_end) {
    starts.clear();
    before.push(second, &starts);
    for (const EventIndex e : starts) {
      if (!with_the_end && path_[e].op.kind == OpKind::kTerminate) continue;
      races.push_back({e, second});
      turn_to_first(races.back().then, path_[e]);
    }
  };
  for (EventIndex i = 0; i < path_.size(); ++i) {
    collect(path_[i], true);
    for_each_withdrawn(path_, i, before, [&](EventIndex e, const Step& timeout) { races.push_back({e, timeout}); });
  }
  for (const Pending& pending : execution.pending) {
    collect(as_if_last(pending), pending.enabled);
    before.truncate(static_cast<EventIndex>(path_.size()));
  }
  const auto each_choice = [&](EventIndex e, Step last, int except) {
    const SmallSet choices = last.set;
    choices.for_each([&](std::size_t choice) {
      last.choice = static_cast<std::uint16_t>(choice);
      if (static_cast<int>(choice) != except) reverse(e, notdep(e, before), last);
    });
  };
  for (const Race& race : races) {  // 2
    if (has_alternatives(race.then.op.kind) && !race.then.set.empty())
      each_choice(race.first, race.then, -1);
    else
      reverse(race.first, notdep(race.first, before), race.then);
  }
  for (EventIndex e = 0; e < path_.size(); ++e)
    if (has_alternatives(path_[e].op.kind)) each_choice(e, path_[e], path_[e].choice);
}

PlainOptimalDpor::Sequence PlainOptimalDpor::notdep(EventIndex e, const HappensBefore& before) const {
  Sequence steps;
  for (EventIndex k = e + 1; k < path_.size(); ++k) {
    const bool unmet = path_[k].op.kind == OpKind::kAssume && path_[k].choice == 0;  // no step to be repeated elsewhere
    if (!before.before(e, k) && !unmet) steps.push_back(path_[k]);
  }
  return steps;
}

void PlainOptimalDpor::reverse(EventIndex e, Sequence v, const Step& last) {
  v.push_back(last);  // 4
  Node& node = nodes_[e];
  const auto covers = [&](const Step& q) { return weak_initial(q, v); };
  if (std::none_of(node.sleep.begin(), node.sleep.end(), covers)) insert(node.wut, std::move(v));  // 5, 6
}

// p starts v, or is independent of all of it.
bool PlainOptimalDpor::weak_initial(const Step& p, const Sequence& v) {
  for (const Step& step : v) {
    if (step.thread == p.thread) return step.choice == p.choice;
    if (dependent(step, p)) return false;
  }
  return true;
}

// JACM 2017, section 6.2: down along branches that are weak initials of what is left of v; a leaf covers it.
void PlainOptimalDpor::insert(Tree& tree, Sequence v) {
  for (Branch& branch : tree) {
    if (!weak_initial(branch.p, v)) continue;
    const auto of_p = [&](const Step& step) { return step.thread == branch.p.thread; };
    if (const auto met = std::find_if(v.begin(), v.end(), of_p); met != v.end()) v.erase(met);
    if (!v.empty() && !branch.subtree.empty()) insert(branch.subtree, std::move(v));
    return;
  }
  Tree* end = &tree;
  for (const Step& step : v) {
    end->push_back({step, {}});
    end = &end->back().subtree;
  }
}

}  // namespace heddle::check
