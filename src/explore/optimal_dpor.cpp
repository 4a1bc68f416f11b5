#include "explore/optimal_dpor.h"

#include <algorithm>

#include "trace/reversal.h"
#include "trace/withdrawal.h"

namespace heddle::explore {
namespace {

// Steps that have to do with one object only, and depend on nothing but its state.
constexpr bool is_plain(OpKind kind) { return on_memory(kind) || on_lock(kind); }

}  // namespace

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
  const std::size_t floor = std::max(floor_, published_.size());
  std::size_t open = nodes_.size();
  while (open > floor && nodes_[open - 1].wakeups == kNoWakeup) --open;
  if (open <= floor) return frontier_ ? take_from_frontier(schedule) : false;
  nodes_.resize(open);
  // What was explored from here sleeps from now on.
  Node& node = nodes_.back();
  sleep_.resize(node.sleep_end);
  sleep_.push_back(steps_[open - 1]);
  node.sleep_end = static_cast<std::uint32_t>(sleep_.size());
  const WakeupIndex branch = node.wakeups;
  forest_.unlink(node.wakeups, branch);
  descend(schedule, branch);
  return true;
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
  published_.clear();
  steps_.clear();
  decisions_.clear();
  since_.clear();
  sleep_.clear();
  fresh_ = 0;
  forget();
  if (!frontier_->take(taken_)) return false;
  published_ = taken_.nodes;
  nodes_.resize(published_.size());
  for (const Step& step : taken_.path) {
    const auto i = static_cast<EventIndex>(steps_.size());
    steps_.push_back(step);
    decisions_.push_back({step.thread, step.choice});
    since_.push_back(executions_ + 1);
    collect_races(step, i);
    any_assumption_ |= step.op.kind == OpKind::kAssume;
    if (has_alternatives(step.op.kind)) open_choices_.push_back(start_at(i, i));
  }
  sleep_ = taken_.sleep;
  schedule.steps.clear();
  schedule.sleep.clear();
  schedule.fresh = 0;
  if (nodes_.empty()) return true;  // the whole search
  nodes_.back().sleep_end = static_cast<std::uint32_t>(sleep_.size());
  WakeupIndex branch = kNoWakeup;
  for (const auto& sequence : taken_.sequences) forest_.graft(branch, sequence);
  descend(schedule, branch);
  return true;
}

bool OptimalDpor::save(SavedSearch& saved) const {
  if (frontier_ != nullptr) return false;
  std::size_t size = nodes_.size();
  while (size > floor_ + 1 && nodes_[size - 1].wakeups == kNoWakeup) --size;
  saved = {.begun = started_, .floor = static_cast<std::uint32_t>(floor_), .path = {}, .nodes = {}};
  saved.path.assign(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(size));
  saved.nodes.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    const Node& node = nodes_[i];
    std::size_t inherited = 0;
    if (i > 0)
      for (std::uint32_t s = nodes_[i - 1].sleep_begin; s < nodes_[i - 1].sleep_end; ++s)
        inherited += dependent(sleep_[s], steps_[i - 1]) ? 0 : 1;
    SavedNode& to = saved.nodes[i];
    to.explored.assign(sleep_.begin() + node.sleep_begin + static_cast<std::ptrdiff_t>(inherited),
                       sleep_.begin() + node.sleep_end);
    for (WakeupIndex w = node.wakeups; w != kNoWakeup; w = forest_[w].next_sibling)
      for (auto& sequence : forest_.sequences(w)) to.wakeups.push_back(std::move(sequence));
    to.open = !to.wakeups.empty();
  }
  return true;
}

// The path is gone along again; its races are looked at with the next execution, and ask for nothing new.
bool OptimalDpor::resume(const SavedSearch& saved) {
  REQUIRE(nodes_.empty() && saved.path.size() == saved.nodes.size());
  if (frontier_ != nullptr) return false;
  started_ = saved.begun;
  floor_ = saved.floor;
  steps_ = saved.path;
  decisions_.resize(steps_.size());
  since_.assign(steps_.size(), executions_ + 1);
  nodes_.resize(steps_.size());
  for (EventIndex i = 0; i < steps_.size(); ++i) {
    Node& node = nodes_[i];
    if (i > 0) inherit_sleep(nodes_[i - 1], steps_[i - 1], node);
    sleep_.insert(sleep_.end(), saved.nodes[i].explored.begin(), saved.nodes[i].explored.end());
    node.sleep_end = static_cast<std::uint32_t>(sleep_.size());
    for (const auto& sequence : saved.nodes[i].wakeups) forest_.graft(node.wakeups, sequence);
    take_in(i);
  }
  return true;
}

// Somebody waits for work: the path to the shallowest node with a branch to explore becomes public.
void OptimalDpor::publish() {
  std::size_t last = 0;
  while (last < nodes_.size() && nodes_[last].wakeups == kNoWakeup) ++last;
  if (last == nodes_.size()) return;
  for (std::size_t i = published_.size(); i <= last; ++i) {
    Node& node = nodes_[i];
    std::vector<Step> sleep;
    for (std::uint32_t s = node.sleep_begin; s < node.sleep_end; ++s) sleep.push_back(sleep_[s]);
    sleep.push_back(steps_[i]);  // under way
    std::vector<std::vector<Step>> sequences;
    while (node.wakeups != kNoWakeup) {
      const WakeupIndex branch = node.wakeups;
      for (auto& sequence : forest_.sequences(branch)) sequences.push_back(std::move(sequence));
      forest_.unlink(node.wakeups, branch);
      forest_.discard(branch);
    }
    const Frontier::NodeIndex parent = i == 0 ? Frontier::kNone : published_.back();
    published_.push_back(frontier_->publish(parent, i == 0 ? Step{} : steps_[i - 1], sleep, sequences));
  }
}

void OptimalDpor::learn(const Execution& execution) {
  ++executions_;
  forget();
  extend(execution);
  before_.summarize(fresh_);
  for (std::size_t r = look_at_old_starts() ? 0 : old_races_; r < races_.size(); ++r) {
    Race& race = races_[r];
    Start& start = starts_[race.start];
    if (r < old_races_ && (!start.changed || is_settled(race))) continue;
    update(start);
    reverse_all(race, beginning(start, race.second + 1));
  }
  for (std::uint32_t s : open_choices_) {
    if (!starts_[s].changed) continue;
    update(starts_[s]);
    branch_on_alternatives(starts_[s]);
  }
  if (frontier_ && frontier_->hungry()) publish();
}

// What was found with steps that are no longer there.
void OptimalDpor::forget() {
  while (!races_.empty() && races_.back().second >= fresh_) races_.pop_back();
  old_races_ = races_.size();
  for (; live_starts_ > 0 && starts_[live_starts_ - 1].since >= fresh_; --live_starts_) {
    const EventIndex first = starts_[live_starts_ - 1].first;
    if (first < nodes_.size()) nodes_[first].start = kNone;
  }
  old_starts_ = live_starts_;
  while (!open_choices_.empty() && open_choices_.back() >= live_starts_) open_choices_.pop_back();
  before_.truncate(fresh_);
}

void OptimalDpor::extend(const Execution& execution) {
  const auto length = static_cast<EventIndex>(execution.steps.size());
  INVARIANT(length > fresh_ || nodes_.empty());
  steps_.resize(fresh_);
  steps_.insert(steps_.end(), execution.steps.begin() + fresh_, execution.steps.end());
  decisions_.resize(length);
  since_.resize(length);
  auto i = static_cast<EventIndex>(nodes_.size());
  nodes_.resize(length);
  for (i = std::max(i, 1u); i < length; ++i) inherit_sleep(nodes_[i - 1], steps_[i - 1], nodes_[i]);
  for (std::size_t p = 0; p < planned_.size() && fresh_ + p + 1 < length; ++p)
    nodes_[fresh_ + p + 1].wakeups = planned_[p];
  planned_.clear();
  for (i = fresh_; i < length; ++i) {
    since_[i] = executions_;
    take_in(i);
  }
  for (EventIndex p = 0; p < execution.pending.size(); ++p) {
    // The end of the process races with what was enabled before it; what was blocked then it did not block.
    const Pending& pending = execution.pending[p];
    collect_races(as_if_last(pending), length + p, pending.enabled ? Ends::kRace : Ends::kNoRace);
    before_.truncate(length);
  }
}

// Step i is new on the path: what it races with, and its alternatives.
inline void OptimalDpor::take_in(EventIndex i) {
  const Step& step = steps_[i];
  decisions_[i] = {step.thread, step.choice};
  collect_races(step, i);
  if (step.op.kind == OpKind::kJoin || (is_plain(step.op.kind) && step.op.kind != OpKind::kWaitRelease)) return;
  for_each_withdrawn(steps_, i, before_, [&](EventIndex e, const Step& timeout) {
    races_.push_back({.start = start_at(e, i), .second = i, .reversed = timeout});
  });
  any_assumption_ |= step.op.kind == OpKind::kAssume;
  if (has_alternatives(step.op.kind)) open_choices_.push_back(start_at(i, i));
}

inline void OptimalDpor::inherit_sleep(const Node& parent, const Step& step, Node& node) {
  std::uint32_t s = parent.sleep_begin;
  while (s < parent.sleep_end && !dependent(sleep_[s], step)) ++s;
  if (s == parent.sleep_end) {
    node.sleep_begin = parent.sleep_begin;
    node.sleep_end = parent.sleep_end;
    return;
  }
  node.sleep_begin = static_cast<std::uint32_t>(sleep_.size());
  for (s = parent.sleep_begin; s < parent.sleep_end; ++s)
    if (!dependent(sleep_[s], step)) sleep_.push_back(Step(sleep_[s]));
  node.sleep_end = static_cast<std::uint32_t>(sleep_.size());
}

inline void OptimalDpor::collect_races(const Step& step, EventIndex second, Ends ends) {
  before_.push(step, &race_starts_);
  if (race_starts_.empty()) return;
  for (EventIndex e : race_starts_)
    if (ends == Ends::kRace || steps_[e].op.kind != OpKind::kTerminate) add_race(e, step, second);
  race_starts_.clear();
}

void OptimalDpor::add_race(EventIndex e, const Step& step, EventIndex second) {
  Step reversed = step;
  turn_to_first(reversed, steps_[e]);
  SLOW_INVARIANT(dependent(reversed, steps_[e]));
  races_.push_back({.start = start_at(e, second), .second = second, .reversed = reversed});
}

std::uint32_t OptimalDpor::start_at(EventIndex e, EventIndex since) {
  std::uint32_t& start = nodes_[e].start;
  if (start != kNone) return start;
  if (live_starts_ == starts_.size()) starts_.emplace_back();
  start = live_starts_++;
  starts_[start].first = e;
  starts_[start].since = since;
  starts_[start].thread = steps_[e].thread;
  starts_[start].looked_at = false;
  starts_[start].changed = true;
  starts_[start].listed = e + 1;
  starts_[start].size = 0;
  return start;
}

// Which notdep(e, E) that were there before have changed so that there may be something to do? Is there any?
// If v ends with e', no. A judge of branches is always asked again: its answers depend on what it has seen.
bool OptimalDpor::look_at_old_starts() {
  if (old_starts_ == 0) return false;
  const std::uint32_t* known = before_.common_knowledge(before_.run_of(fresh_));
  bool any = false;
  for (std::uint32_t s = 0; s < old_starts_; ++s) {
    Start& start = starts_[s];
    const bool ends_before = start.listed == kNoEvent && (start.size == 0 || start.notdep[start.size - 1] < fresh_);
    const bool same = ends_before && known[start.thread.index()] > start.first;
    if (!same) start.listed = std::min(start.listed, fresh_);
    start.changed = !start.looked_at || judge_ != nullptr || (!same && rest_ == Rest::kWhole);
    any |= start.changed;
  }
  return any;
}

// Brings notdep(e, E) up to date.
void OptimalDpor::update(Start& start) {
  start.looked_at = true;
  if (start.listed == kNoEvent) {
    SLOW_INVARIANT(is_up_to_date(start));
    return;
  }
  std::uint32_t n = start.size;
  while (n > 0 && start.notdep[n - 1] >= start.listed) --n;
  const bool is_new = start.listed == start.first + 1;
  const std::uint32_t run = is_new ? before_.run_of(start.first) + 1 : before_.run_of(start.listed);
  start.size = before_.list_not_after(start.first, run, start.notdep, n);
  start.listed = kNoEvent;
  if (any_assumption_) {
    const auto begin = start.notdep.begin() + n, end = start.notdep.begin() + start.size;
    const auto met = std::remove_if(begin, end, [&](EventIndex k) { return unmet(steps_[k]); });
    start.size -= static_cast<std::uint32_t>(end - met);
  }
  while (n < start.size && start.notdep[n] < fresh_) ++n;
  start.kept = n;
  SLOW_INVARIANT(is_up_to_date(start));
}

bool OptimalDpor::is_up_to_date(const Start& start) const {
  std::vector<EventIndex> notdep;
  for (EventIndex k = start.first + 1; k < steps_.size(); ++k)
    if (!before_.before(start.first, k) && !unmet(steps_[k])) notdep.push_back(k);
  return std::equal(notdep.begin(), notdep.end(), start.notdep.begin(), start.notdep.begin() + start.size);
}

OptimalDpor::Beginning OptimalDpor::beginning(const Start& start, EventIndex end) const {
  std::size_t size = start.size;
  if (rest_ == Rest::kPart)
    while (size > 0 && start.notdep[size - 1] >= end) --size;
  return {start.first, {start.notdep.data(), size}, std::min<std::size_t>(start.kept, size)};
}

// Which alternative e' would take in e's place is open: a sleeping one does not cover the others.
void OptimalDpor::reverse_all(Race& race, const Beginning& v) {
  if (!has_alternatives(race.reversed.op.kind) || race.reversed.set.empty()) {
    Memory* memory = memory_of(race, v);
    if (is_published(v.first) || !asleep(race, v, memory))
      race.inserted_within = inserted_within(race, insert(v, race.reversed, memory));
    return;
  }
  Step last = race.reversed;
  last.set.for_each([&](std::size_t choice) {
    last.choice = static_cast<std::uint16_t>(choice);
    reverse(v, last);
  });
}

void OptimalDpor::reverse(const Beginning& v, const Step& last) {
  if (is_published(v.first) || !asleep(v, last)) insert(v, last);
}

// What e's memory says must be about this e and a last step like this one's. Old races know more themselves, and about
// a short v it is as easy to ask again.
OptimalDpor::Memory* OptimalDpor::memory_of(const Race& race, const Beginning& v) {
  const Step& last = race.reversed;
  if (race.second < fresh_ || v.notdep.size() < 2) return nullptr;
  if (judge_ != nullptr || !is_plain(last.op.kind) || is_published(v.first)) return nullptr;
  if (v.first >= memories_.size()) memories_.resize(v.first + 64);
  Memory& memory = memories_[v.first];
  if (memory.made < since_[v.first] || memory.thread != last.thread || memory.kind != last.op.kind ||
      memory.object != last.op.object) {
    memory.thread = last.thread;
    memory.kind = last.op.kind;
    memory.object = last.op.object;
    memory.awake_within = kNoEvent;
    memory.trail.forget();
  }
  return &memory;
}

// So many steps of v are those that v had when the memory was made. (Also where v ends with its second event: a thread
// has one race with e in an execution, so that one has been done again, after all that has stayed.)
inline std::size_t OptimalDpor::unchanged_since(const Memory& memory, const Beginning& v) const {
  std::size_t n = v.notdep.size();
  while (n > 0 && since_[v.notdep[n - 1]] > memory.made) --n;
  return n;
}

WakeupForest::Insertion OptimalDpor::insert(const Beginning& v, const Step& last, Memory* memory) {
  v_.resize(v.notdep.size() + 1);
  for (std::size_t i = 0; i < v.notdep.size(); ++i) v_[i] = &steps_[v.notdep[i]];
  v_.back() = &last;
  if (memory) {
    const std::size_t same = unchanged_since(*memory, v);
    memory->made = executions_;
    return forest_.insert(nodes_[v.first].wakeups, v_, rest_, memory->trail, same);
  }
  if (!is_published(v.first)) return forest_.insert(nodes_[v.first].wakeups, v_, rest_, admission(v.first));
  frontier_->insert(published_[v.first], v_, rest_, [&](const auto& sleep) {
    return std::any_of(sleep.begin(), sleep.end(), [&](const Step& q) { return cover(q, v, last, 0).covers; });
  });
  return {.all_counts = true};
}

// What comes after e' in notdep(e, E) is independent of e', or it would happen after e. So it is for the last step of v
// if that is what e' was.
EventIndex OptimalDpor::inserted_within(const Race& race, const WakeupForest::Insertion& insertion) const {
  if (insertion.all_counts || judge_ != nullptr || race.second >= steps_.size()) return kNoEvent;
  const Step &last = race.reversed, &second = steps_[race.second];
  const bool same =
      last.thread == second.thread && last.op.kind == second.op.kind && last.op.object == second.op.object;
  if (!same || !is_plain(last.op.kind)) return kNoEvent;
  return insertion.furthest ? static_cast<EventIndex>(insertion.furthest - steps_.data()) + 1 : 0;
}

// Is a step that sleeps at node e a weak initial of v?
bool OptimalDpor::asleep(const Beginning& v, const Step& last) const {
  const Node& node = nodes_[v.first];
  return std::any_of(sleep_.begin() + node.sleep_begin, sleep_.begin() + node.sleep_end,
                     [&](const Step& q) { return cover(q, v, last, 0).covers; });
}

// The same for a race that may have been looked at before. While it stays on the path, the node's sleep set is the same
// and the execution changes from fresh_ on only, so what the steps before have told need not be asked again.
bool OptimalDpor::asleep(Race& race, const Beginning& v, Memory* memory) const {
  const bool known = memory && is_known_awake(*memory, v);
  if (known && memory->unless.empty()) race.awake_within = memory->awake_within;
  if (known || race.awake_within <= fresh_) {
    SLOW_INVARIANT(!asleep(v, race.reversed));
    return false;
  }
  const auto ask = [&](std::uint32_t s, std::size_t passed) {
    const Cover answer = cover(sleep_[s], v, race.reversed, passed);
    if (answer.covers) {
      race.witness = s;
      race.asleep_within = answer.within;
      race.awake_within = kNoEvent;
    }
    return answer;
  };
  if (race.witness != kNone && ask(race.witness, v.kept).covers) {
    SLOW_INVARIANT(asleep(v, race.reversed));
    return true;
  }
  race.witness = kNone;
  race.asleep_within = kNoEvent;
  EventIndex within = 0;
  ThreadSet undecided;  // by the steps before the last one
  const Node& node = nodes_[v.first];
  for (std::uint32_t s = node.sleep_begin; s < node.sleep_end; ++s) {
    const Cover answer = ask(s, 0);
    if (answer.covers) return true;
    if (answer.within == kNoEvent)
      undecided.insert(sleep_[s].thread);
    else
      within = std::max(within, answer.within);
  }
  race.awake_within = undecided.empty() ? within : kNoEvent;
  if (memory) {
    memory->awake_within = within;
    memory->unless = undecided;
  }
  return false;
}

bool OptimalDpor::is_known_awake(const Memory& memory, const Beginning& v) const {
  const EventIndex within = memory.awake_within;
  if (within > since_.size() || (within > 0 && since_[within - 1] > memory.made)) return false;
  const auto news = v.notdep.subspan(unchanged_since(memory, v));
  return std::none_of(news.begin(), news.end(), [&](EventIndex k) { return memory.unless.contains(steps_[k].thread); });
}

// An initial that is met in the prefix stays one, whatever comes later; otherwise the whole execution counts.
OptimalDpor::Cover OptimalDpor::cover(const Step& q, const Beginning& v, const Step& last, std::size_t passed) const {
  for (EventIndex k : v.notdep.subspan(passed)) {
    if (steps_[k].thread == q.thread) return {steps_[k].choice == q.choice, k + 1};
    if (dependent(q, steps_[k])) return {false, k + 1};
  }
  if (last.thread == q.thread) return {last.choice == q.choice, kNoEvent};
  if (rest_ != Rest::kWhole || dependent(q, last)) return {false, kNoEvent};
  if (judge_ == nullptr || !is_branch(q)) return {true, kNoEvent};
  Sequence sequence;
  for (EventIndex k : v.notdep) sequence.push_back(&steps_[k]);
  sequence.push_back(&last);
  return {!excluded(v.first, sequence, q), kNoEvent};
}

void OptimalDpor::branch_on_alternatives(const Start& start) {
  const Step& step = steps_[start.first];
  SmallSet others = step.set;
  others.erase(step.choice);
  others.for_each([&](std::size_t choice) {
    Step other = step;
    other.choice = static_cast<std::uint16_t>(choice);
    if (judge_ != nullptr && rest_ == Rest::kWhole && is_branch(other)) return flip(start, other);
    reverse(beginning(start, start.first), other);
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

// The branch e the other way: one v for each maximal part of notdep(e, E) that is compatible with it. Nothing is to be
// done if a wakeup sequence begins with that outcome, or if it has been explored: it is an initial of everything that
// has it.
void OptimalDpor::flip(const Start& start, const Step& other) {
  const EventIndex e = start.first;
  const Node& node = nodes_[e];
  if (forest_.begins_with(node.wakeups, other)) return;
  for (std::uint32_t s = node.sleep_begin; s < node.sleep_end; ++s)
    if (sleep_[s].thread == other.thread && sleep_[s].choice == other.choice) return;
  Sequence path, rest;
  for (EventIndex k = 0; k < e; ++k)
    if (is_branch(steps_[k])) path.push_back(&steps_[k]);
  for (std::uint32_t i = 0; i < start.size; ++i) rest.push_back(&steps_[start.notdep[i]]);
  const auto parts = compatible_parts(*judge_, path, rest, other, [&](std::size_t a, std::size_t b) {
    return before_.before(start.notdep[a], start.notdep[b]);
  });
  for (Sequence v : parts) {
    v.push_back(&other);
    const auto covers = [&](const Step& q) {
      const Weak relation = classify(q, v).weak;
      return relation == Weak::kInitial || (relation == Weak::kIndependent && (!is_branch(q) || !excluded(e, v, q)));
    };
    if (std::none_of(sleep_.begin() + node.sleep_begin, sleep_.begin() + node.sleep_end, covers))
      forest_.insert(nodes_[e].wakeups, v, rest_, admission(e));
  }
}

}  // namespace heddle::explore
