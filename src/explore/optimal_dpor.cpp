#include "explore/optimal_dpor.h"

#include <algorithm>

#include "trace/race.h"
#include "trace/withdrawal.h"

namespace heddle::explore {

bool OptimalDpor::next(Schedule& schedule) {
  schedule.sleep_rule = SleepRule::kStop;
  if (!started_) {
    started_ = true;
    if (frontier_) return take_from_frontier(schedule);
    schedule.steps.clear();
    schedule.sleep.clear();
    schedule.fresh = 0;
    return true;
  }
  while (!nodes_.empty() && nodes_.back().published == Frontier::kNone) {
    const std::size_t depth = nodes_.size() - 1;
    Node& node = nodes_.back();
    if (node.wakeups == kNoWakeup) {
      sleep_.resize(node.sleep_begin);
      nodes_.pop_back();
      steps_.pop_back();
      decisions_.pop_back();
      continue;
    }
    // What was explored from here sleeps from now on.
    sleep_.resize(node.sleep_end);
    sleep_.push_back(steps_[depth]);
    node.sleep_end = static_cast<std::uint32_t>(sleep_.size());
    const WakeupIndex branch = node.wakeups;
    forest_.unlink(node.wakeups, branch);
    descend(schedule, branch);
    return true;
  }
  return frontier_ ? take_from_frontier(schedule) : false;
}

// The schedule to the last node and on along `branch` to a leaf; siblings met on the way wait at the nodes to come.
void OptimalDpor::descend(Schedule& schedule, WakeupIndex branch) {
  const std::size_t depth = nodes_.size() - 1;
  const Node& node = nodes_.back();
  schedule.steps.assign(decisions_.begin(), decisions_.begin() + static_cast<std::ptrdiff_t>(depth));
  planned_.clear();
  while (branch != kNoWakeup) {
    const Step& step = forest_[branch].step;
    schedule.steps.push_back({step.thread, step.choice});
    WakeupIndex children = forest_.take_children(branch);
    forest_.release(branch);
    branch = children;
    if (branch != kNoWakeup) forest_.unlink(children, branch);
    planned_.push_back(children);
  }
  schedule.fresh = depth;
  schedule.sleep.assign(sleep_.begin() + node.sleep_begin, sleep_.begin() + node.sleep_end);
  fresh_ = static_cast<EventIndex>(depth);
}

bool OptimalDpor::take_from_frontier(Schedule& schedule) {
  nodes_.clear();
  steps_.clear();
  decisions_.clear();
  open_choices_.clear();
  sleep_.clear();
  races_.clear();
  before_.truncate(0);
  fresh_ = 0;
  if (!frontier_->take(taken_)) return false;
  for (const Step& step : taken_.path) {
    collect_races(step, static_cast<EventIndex>(steps_.size()));
    if (has_alternatives(step.op.kind)) open_choices_.push_back(static_cast<EventIndex>(steps_.size()));
    steps_.push_back(step);
    decisions_.push_back({step.thread, step.choice});
  }
  for (Frontier::NodeIndex n : taken_.nodes) {
    nodes_.emplace_back();
    nodes_.back().published = n;
  }
  sleep_ = taken_.sleep;
  schedule.steps.clear();
  schedule.sleep.clear();
  schedule.fresh = 0;
  if (nodes_.empty()) return true;   // the whole search
  nodes_.back().sleep_end = static_cast<std::uint32_t>(sleep_.size());
  WakeupIndex branch = kNoWakeup;
  for (const auto& sequence : taken_.sequences) forest_.graft(branch, sequence);
  descend(schedule, branch);
  return true;
}

// Somebody waits for work: the path to the shallowest node with a branch to explore becomes public.
void OptimalDpor::publish() {
  std::size_t last = 0;
  while (last < nodes_.size() && nodes_[last].wakeups == kNoWakeup) ++last;
  if (last == nodes_.size()) return;
  for (std::size_t i = 0; i <= last; ++i) {
    Node& node = nodes_[i];
    if (node.published != Frontier::kNone) continue;
    std::vector<Step> sleep;
    for (std::uint32_t s = node.sleep_begin; s < node.sleep_end; ++s) sleep.push_back(sleep_[s]);
    sleep.push_back(steps_[i]);   // under way
    std::vector<std::vector<Step>> sequences;
    while (node.wakeups != kNoWakeup) {
      const WakeupIndex branch = node.wakeups;
      for (auto& sequence : forest_.sequences(branch)) sequences.push_back(std::move(sequence));
      forest_.unlink(node.wakeups, branch);
      forest_.discard(branch);
    }
    const Frontier::NodeIndex parent = i == 0 ? Frontier::kNone : nodes_[i - 1].published;
    node.published = frontier_->publish(parent, i == 0 ? Step{} : steps_[i - 1], sleep, sequences);
  }
}

void OptimalDpor::learn(const Execution& execution) {
  extend(execution);
  find_races(execution);
  const auto length = static_cast<EventIndex>(execution.steps.size());
  for (Race& race : races_) {
    if (race.asleep_within <= fresh_) continue;
    reverse_all(race, {race.first, rest_ == Rest::kWhole ? length : std::min(race.second + 1, length)});
  }
  for (EventIndex i : open_choices_) branch_on_alternatives(i);
  if (frontier_ && frontier_->hungry()) publish();
}

void OptimalDpor::extend(const Execution& execution) {
  const auto length = static_cast<EventIndex>(execution.steps.size());
  INVARIANT(length > fresh_ || nodes_.empty());
  steps_.resize(fresh_);
  decisions_.resize(fresh_);
  while (!open_choices_.empty() && open_choices_.back() >= fresh_) open_choices_.pop_back();
  for (EventIndex i = fresh_; i < length; ++i) {
    if (i == nodes_.size()) {
      Node node;
      node.sleep_begin = static_cast<std::uint32_t>(sleep_.size());
      if (i > 0) {
        const Node& parent = nodes_[i - 1];
        for (std::uint32_t s = parent.sleep_begin; s < parent.sleep_end; ++s)
          if (!dependent(sleep_[s], steps_[i - 1])) sleep_.push_back(Step(sleep_[s]));
        const std::size_t plan = i - 1 - fresh_;
        if (plan < planned_.size()) node.wakeups = planned_[plan];
      }
      node.sleep_end = static_cast<std::uint32_t>(sleep_.size());
      nodes_.push_back(node);
    }
    const Step& step = execution.steps[i];
    steps_.push_back(step);
    decisions_.push_back({step.thread, step.choice});
    if (has_alternatives(step.op.kind)) open_choices_.push_back(i);
  }
  planned_.clear();
}

void OptimalDpor::find_races(const Execution& execution) {
  while (!races_.empty() && races_.back().second >= fresh_) races_.pop_back();
  before_.truncate(fresh_);
  const auto length = static_cast<EventIndex>(execution.steps.size());
  for (EventIndex i = fresh_; i < length; ++i) {
    collect_races(execution.steps[i], i);
    for_each_withdrawn(steps_, i, before_, [&](EventIndex e, const Step& timeout) {
      races_.push_back({e, i, kNoEvent, kNoEvent, kNoWitness, timeout});
    });
  }
  for (EventIndex p = 0; p < execution.pending.size(); ++p) {
    collect_races(execution.pending[p].step, length + p);
    before_.truncate(length);
    // The end of the process races with what was enabled before it; what was blocked then it did not block.
    if (execution.pending[p].enabled) continue;
    std::erase_if(races_, [&](const Race& race) {
      return race.second == length + p && steps_[race.first].op.kind == OpKind::kTerminate;
    });
  }
}

void OptimalDpor::collect_races(const Step& step, EventIndex second) {
  race_starts_.clear();
  before_.push(step, &race_starts_);
  for (EventIndex e : race_starts_) {
    // What was never decided, as its process ended, may turn out to be no more than a look at what e looked at.
    const Step reversed = as_if_first(step, steps_[e]);
    if (dependent(reversed, steps_[e])) races_.push_back({e, second, kNoEvent, kNoEvent, kNoWitness, reversed});
  }
}

// Which alternative e' would take in e's place is open: a sleeping one does not cover the others.
void OptimalDpor::reverse_all(Race& race, Span span) {
  if (!has_alternatives(race.reversed.op.kind) || race.reversed.set.empty()) {
    const bool shared = nodes_[span.first].published != Frontier::kNone;
    if (shared || !asleep(race, span)) insert(span, race.reversed);
    return;
  }
  Step last = race.reversed;
  last.set.for_each([&](std::size_t choice) {
    last.choice = static_cast<std::uint16_t>(choice);
    reverse(span, last);
  });
}

void OptimalDpor::reverse(Span span, const Step& last) {
  const bool shared = nodes_[span.first].published != Frontier::kNone;
  if (shared || !asleep(span, last)) insert(span, last);
}

void OptimalDpor::insert(Span span, const Step& last) {
  const EventIndex e = span.first;
  // Whether a step is in notdep(e, E) is hard to predict, so nothing hangs on it but where the next one goes.
  v_.resize(span.end - e + 1);
  std::size_t length = 0;
  for (EventIndex k = e + 1; k < span.end; ++k) {
    v_[length] = &steps_[k];
    length += in_notdep(e, k);
  }
  v_[length] = &last;
  v_.resize(length + 1);
  if (nodes_[e].published == Frontier::kNone) {
    forest_.insert(nodes_[e].wakeups, v_, rest_, admission(e));
    return;
  }
  frontier_->insert(nodes_[e].published, v_, rest_, [&](const auto& sleep) {
    return std::any_of(sleep.begin(), sleep.end(),
                       [&](const Step& q) { return cover(q, span, last, e + 1).covers; });
  });
}

// Is a step that sleeps at node e a weak initial of notdep(e, E).last?
bool OptimalDpor::asleep(Span span, const Step& last) const {
  const Node& node = nodes_[span.first];
  return std::any_of(sleep_.begin() + node.sleep_begin, sleep_.begin() + node.sleep_end,
                     [&](const Step& q) { return cover(q, span, last, span.first + 1).covers; });
}

// The same for a race that may have been looked at before. While it stays on the path, the node's sleep set is the same
// and the execution changes from fresh_ on only, so what the steps before have told need not be asked again.
bool OptimalDpor::asleep(Race& race, Span span) const {
  if (race.awake_within <= fresh_) return false;
  const auto ask = [&](std::uint32_t s, EventIndex from) {
    const Cover answer = cover(sleep_[s], span, race.reversed, from);
    if (answer.covers) {
      race.witness = s;
      race.asleep_within = answer.within;
      race.awake_within = kNoEvent;
    }
    return answer;
  };
  if (race.witness != kNoWitness && ask(race.witness, std::max(fresh_, span.first + 1)).covers) return true;
  race.witness = kNoWitness;
  race.asleep_within = kNoEvent;
  race.awake_within = 0;
  const Node& node = nodes_[span.first];
  for (std::uint32_t s = node.sleep_begin; s < node.sleep_end; ++s) {
    const Cover answer = ask(s, span.first + 1);
    if (answer.covers) return true;
    race.awake_within = std::max(race.awake_within, answer.within);
  }
  return false;
}

// An initial that is met in the prefix stays one, whatever comes later; otherwise the whole execution counts.
OptimalDpor::Cover OptimalDpor::cover(const Step& q, Span span, const Step& last, EventIndex from) const {
  const auto whole = static_cast<EventIndex>(steps_.size());
  for (EventIndex k = from; k < span.end; ++k) {
    if (!in_notdep(span.first, k)) continue;
    if (steps_[k].thread == q.thread) return {steps_[k].choice == q.choice, k + 1};
    if (dependent(q, steps_[k])) return {false, k + 1};
  }
  if (last.thread == q.thread) return {last.choice == q.choice, whole};
  if (rest_ != Rest::kWhole || dependent(q, last)) return {false, whole};
  if (judge_ == nullptr || !is_branch(q)) return {true, whole};
  Sequence v;
  for (EventIndex k = span.first + 1; k < span.end; ++k)
    if (in_notdep(span.first, k)) v.push_back(&steps_[k]);
  v.push_back(&last);
  return {!excluded(span.first, v, q), whole};
}

void OptimalDpor::branch_on_alternatives(EventIndex i) {
  Bits128 others = steps_[i].set;
  others.erase(steps_[i].choice);
  others.for_each([&](std::size_t choice) {
    Step other = steps_[i];
    other.choice = static_cast<std::uint16_t>(choice);
    if (judge_ != nullptr && rest_ == Rest::kWhole && is_branch(other)) return flip(i, other);
    reverse({i, rest_ == Rest::kWhole ? static_cast<EventIndex>(steps_.size()) : i}, other);
  });
}

// Can the branch not come out so after pre(E, e) if v is to follow?
bool OptimalDpor::excluded(EventIndex e, const std::vector<const Step*>& v, const Step& branch) const {
  Sequence path;
  for (EventIndex k = 0; k < e; ++k)
    if (is_branch(steps_[k])) path.push_back(&steps_[k]);
  return !compatible(judge_, path, v, branch);
}

WakeupForest::Admits OptimalDpor::admission(EventIndex e) const {
  if (judge_ == nullptr) return nullptr;
  return [this, e](const Sequence& passed, const Sequence& w) {
    Sequence v = w;
    v.insert(v.end(), passed.begin(), passed.end() - 1);
    return !excluded(e, v, *passed.back());
  };
}

// The branch e the other way: one v for each maximal part of notdep(e, E) that is compatible with it. Nothing is to be done
// if a wakeup sequence begins with that outcome, or if it has been explored: it is an initial of everything that has it.
void OptimalDpor::flip(EventIndex e, const Step& other) {
  const Node& node = nodes_[e];
  if (forest_.begins_with(node.wakeups, other)) return;
  for (std::uint32_t s = node.sleep_begin; s < node.sleep_end; ++s)
    if (sleep_[s].thread == other.thread && sleep_[s].choice == other.choice) return;
  Sequence path, rest;
  std::vector<EventIndex> indices;
  for (EventIndex k = 0; k < e; ++k)
    if (is_branch(steps_[k])) path.push_back(&steps_[k]);
  for (EventIndex k = e + 1; k < steps_.size(); ++k) {
    if (!in_notdep(e, k)) continue;
    rest.push_back(&steps_[k]);
    indices.push_back(k);
  }
  const auto parts = compatible_parts(*judge_, path, rest, other, [&](std::size_t a, std::size_t b) {
    return before_.before(indices[a], indices[b]);
  });
  for (Sequence v : parts) {
    v.push_back(&other);
    const auto covers = [&](const Step& q) {
      std::size_t position = 0;
      const Weak relation = classify(q, v, position);
      return relation == Weak::kInitial ||
             (relation == Weak::kIndependent && (!is_branch(q) || !excluded(e, v, q)));
    };
    if (std::none_of(sleep_.begin() + node.sleep_begin, sleep_.begin() + node.sleep_end, covers))
      forest_.insert(nodes_[e].wakeups, v, rest_, admission(e));
  }
}

}  // namespace heddle::explore
