#include "explore/race_memory.h"

#include <algorithm>

#include "trace/reversal.h"
#include "trace/withdrawal.h"

namespace heddle::explore {
namespace {

using trace::OpKind;

// Steps that have to do with one object only, and depend on nothing but its state.
constexpr bool is_plain(OpKind kind) { return on_memory(kind) || on_lock(kind); }

// An assumption that could not be met says something about what came before it: it is no part of notdep(e, E).
bool unmet(const Step& step) { return step.op.kind == OpKind::kAssume && step.choice == 0; }

}  // namespace

void RaceMemory::cut() {
  const EventIndex fresh = path_.fresh;
  while (!races_.empty() && races_.back().second >= fresh) races_.pop_back();
  old_races_ = races_.size();
  for (; live_starts_ > 0 && starts_[live_starts_ - 1].since >= fresh; --live_starts_)
    start_of_[starts_[live_starts_ - 1].first] = kNone;
  old_starts_ = live_starts_;
  while (!open_choices_.empty() && open_choices_.back() >= live_starts_) open_choices_.pop_back();
  before_.truncate(fresh);
}

void RaceMemory::take_in(const trace::Execution& execution) {
  ++executions_;
  const auto length = static_cast<EventIndex>(path_.steps.size());
  since_.resize(path_.fresh);
  since_.resize(length, executions_);
  start_of_.resize(path_.fresh);
  start_of_.resize(length, kNone);
  for (EventIndex i = path_.fresh; i < length; ++i) take_in(i);
  for (EventIndex p = 0; p < execution.pending.size(); ++p) {
    // The end of the process races with what was enabled before it; what was blocked then it did not block.
    const trace::Pending& pending = execution.pending[p];
    collect_races(as_if_last(pending), length + p, pending.enabled ? Ends::kRace : Ends::kNoRace);
    before_.truncate(length);
  }
}

// What step i races with, and its alternatives.
void RaceMemory::take_in(EventIndex i) {
  if (i >= since_.size()) {
    since_.resize(i + 1, executions_ + 1);
    start_of_.resize(i + 1, kNone);
  }
  const Step& step = path_.steps[i];
  collect_races(step, i);
  if (step.op.kind == OpKind::kJoin || (is_plain(step.op.kind) && step.op.kind != OpKind::kWaitRelease)) return;
  trace::for_each_withdrawn(path_.steps, i, before_, [&](EventIndex e, const Step& timeout) {
    races_.push_back({.start = start_at(e, i), .second = i, .reversed = timeout});
  });
  any_assumption_ |= step.op.kind == OpKind::kAssume;
  if (has_alternatives(step.op.kind)) open_choices_.push_back(start_at(i, i));
}

inline void RaceMemory::collect_races(const Step& step, EventIndex second, Ends ends) {
  before_.push(step, &race_starts_);
  for (const EventIndex e : race_starts_) {
    const Step& first = path_.steps[e];
    if (ends == Ends::kNoRace && first.op.kind == OpKind::kTerminate) continue;
    Step reversed = step;
    turn_to_first(reversed, first);
    SLOW_INVARIANT(dependent(reversed, first));
    races_.push_back({.start = start_at(e, second), .second = second, .reversed = reversed});
  }
  race_starts_.clear();
}

std::uint32_t RaceMemory::start_at(EventIndex e, EventIndex since) {
  std::uint32_t& start = start_of_[e];
  if (start != kNone) return start;
  if (live_starts_ == starts_.size()) starts_.emplace_back();
  start = live_starts_++;
  Start& s = starts_[start];
  s.first = e;
  s.since = since;
  s.thread = path_.steps[e].thread;
  s.looked_at = false;
  s.changed = true;
  s.listed = e + 1;
  s.size = 0;
  return start;
}

// Which notdep(e, E) that were there before have changed so that there may be something to do? Is there any?
// A judge of branches is always asked again: its answers depend on what it has seen.
bool RaceMemory::look_at_old_starts() {
  if (old_starts_ == 0) return false;
  const EventIndex fresh = path_.fresh;
  const std::uint32_t* known = before_.common_knowledge(before_.run_of(fresh));
  bool any = false;
  for (std::uint32_t s = 0; s < old_starts_; ++s) {
    Start& start = starts_[s];
    const bool ends_before = start.listed == kNoEvent && (start.size == 0 || start.notdep[start.size - 1] < fresh);
    const bool same = ends_before && known[start.thread.index()] > start.first;
    if (!same) start.listed = std::min(start.listed, fresh);
    start.changed = !start.looked_at || judge_ != nullptr || !same;
    any |= start.changed;
  }
  return any;
}

// Brings notdep(e, E) up to date.
void RaceMemory::update(Start& start) {
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
    const auto met = std::remove_if(begin, end, [&](EventIndex k) { return unmet(path_.steps[k]); });
    start.size -= static_cast<std::uint32_t>(end - met);
  }
  while (n < start.size && start.notdep[n] < path_.fresh) ++n;
  start.kept = n;
  SLOW_INVARIANT(is_up_to_date(start));
}

bool RaceMemory::is_up_to_date(const Start& start) const {
  std::vector<EventIndex> notdep;
  for (EventIndex k = start.first + 1; k < path_.steps.size(); ++k)
    if (!before_.before(start.first, k) && !unmet(path_.steps[k])) notdep.push_back(k);
  return std::ranges::equal(notdep, start.not_after());
}

// The branch e the other way: notdep(e, E) may hold branches that exclude it, so there is one v for each maximal part
// that does not (concolic.h). None, if a wakeup sequence begins with that outcome, or if it has been explored: it is an
// initial of everything that has it.
std::vector<std::vector<EventIndex>> RaceMemory::parts_that_allow(const Start& start, const Step& other) const {
  const EventIndex e = start.first;
  const auto sleeping = path_.sleep_at(e);
  const auto is_other = [&](const Step& q) { return q.thread == other.thread && q.choice == other.choice; };
  if (path_.forest.begins_with(path_.nodes[e].wakeups, other) || std::ranges::any_of(sleeping, is_other)) return {};
  Sequence rest;
  for (const EventIndex k : start.not_after()) rest.push_back(&path_.steps[k]);
  const auto before = [&](std::size_t a, std::size_t b) { return before_.before(start.notdep[a], start.notdep[b]); };
  std::vector<std::vector<EventIndex>> parts;
  for (const Sequence& part : compatible_parts(*judge_, branches_of({path_.steps.data(), e}), rest, other, before)) {
    parts.emplace_back();
    for (const Step* step : part) parts.back().push_back(static_cast<EventIndex>(step - path_.steps.data()));
  }
  return parts;
}

// An insight must be about this e and a last step like this one's. Old races know more themselves, and about a short v
// it is as easy to ask again.
RaceMemory::Insight* RaceMemory::insight_into(const Race& race, const Start& start) {
  const Step& last = race.reversed;
  if (race.second < path_.fresh || start.size < 2) return nullptr;
  if (judge_ != nullptr || !is_plain(last.op.kind)) return nullptr;
  if (start.first >= insights_.size()) insights_.resize(start.first + 64);
  Insight& insight = insights_[start.first];
  if (insight.made < since_[start.first] || insight.thread != last.thread || insight.kind != last.op.kind ||
      insight.object != last.op.object) {
    insight.thread = last.thread;
    insight.kind = last.op.kind;
    insight.object = last.op.object;
    insight.awake_within = kNoEvent;
    insight.trail.forget();
  }
  return &insight;
}

// So many steps of v are those that v had when the insight was made. (Also where v ends with its second event: a thread
// has one race with e in an execution, so that one has been done again, after all that has stayed.)
inline std::size_t RaceMemory::unchanged_since(const Insight& insight, std::span<const EventIndex> notdep) const {
  std::size_t n = notdep.size();
  while (n > 0 && since_[notdep[n - 1]] > insight.made) --n;
  return n;
}

bool RaceMemory::is_known_awake(const Reversal& v) const {
  const EventIndex within = v.insight->awake_within;
  if (within > since_.size() || (within > 0 && since_[within - 1] > v.insight->made)) return false;
  const auto news = v.notdep.subspan(unchanged_since(*v.insight, v.notdep));
  return std::ranges::none_of(news, [&](EventIndex k) { return v.insight->unless.contains(path_.steps[k].thread); });
}

bool RaceMemory::asleep(const Reversal& v) {
  if (v.race == nullptr) return covered(v);
  const bool answer = covered_with_memory(v);
  SLOW_INVARIANT(answer == covered(v));
  return answer;
}

bool RaceMemory::covered(const Reversal& v) const {
  return std::ranges::any_of(path_.sleep_at(v.first), [&](const Step& q) { return cover(q, v).covers; });
}

// While a race stays on the path, its node's sleep set is the same and the execution changes from `fresh` on only, so
// what the steps before have told need not be asked again.
bool RaceMemory::covered_with_memory(const Reversal& v) const {
  Race& race = *v.race;
  const bool known = v.insight != nullptr && is_known_awake(v);
  if (known && v.insight->unless.empty()) race.awake_within = v.insight->awake_within;
  if (known || race.awake_within <= path_.fresh) return false;
  if (race.witness != kNone && ask(race, race.witness, v, v.kept).covers) return true;
  race.witness = kNone;
  race.asleep_within = kNoEvent;
  EventIndex within = 0;
  ThreadSet undecided;  // by the steps before the last one
  const SearchPath::Node& node = path_.nodes[v.first];
  for (std::uint32_t s = node.sleep_begin; s < node.sleep_end; ++s) {
    const Cover answer = ask(race, s, v, 0);
    if (answer.covers) return true;
    if (answer.within == kNoEvent)
      undecided.insert(path_.sleep[s].thread);
    else
      within = std::max(within, answer.within);
  }
  race.awake_within = undecided.empty() ? within : kNoEvent;
  if (v.insight != nullptr) {
    v.insight->awake_within = within;
    v.insight->unless = undecided;
  }
  return false;
}

RaceMemory::Cover RaceMemory::ask(Race& race, std::uint32_t sleeping, const Reversal& v, std::size_t passed) const {
  const Cover answer = cover(path_.sleep[sleeping], v, passed);
  if (answer.covers) {
    race.witness = sleeping;
    race.asleep_within = answer.within;
    race.awake_within = kNoEvent;
  }
  return answer;
}

// Is q a weak initial of v, of which the first `passed` steps are known to leave it open? An initial that is met in the
// prefix stays one, whatever comes later; otherwise the whole execution counts.
RaceMemory::Cover RaceMemory::cover(const Step& q, const Reversal& v, std::size_t passed) const {
  for (const EventIndex k : v.notdep.subspan(passed)) {
    const Step& step = path_.steps[k];
    if (step.thread == q.thread) return {step.choice == q.choice, k + 1};
    if (dependent(q, step)) return {false, k + 1};
  }
  if (v.last.thread == q.thread) return {v.last.choice == q.choice, kNoEvent};
  if (dependent(q, v.last)) return {false, kNoEvent};
  if (judge_ == nullptr || !is_branch(q)) return {true, kNoEvent};
  Sequence sequence;
  list(v, sequence);
  return {!excluded(*judge_, {path_.steps.data(), v.first}, sequence, q), kNoEvent};
}

void RaceMemory::list(const Reversal& v, std::vector<const Step*>& steps) const {
  steps.resize(v.notdep.size() + 1);
  for (std::size_t i = 0; i < v.notdep.size(); ++i) steps[i] = &path_.steps[v.notdep[i]];
  steps.back() = &v.last;
}

void RaceMemory::insert(const Reversal& v) {
  list(v, v_);
  WakeupIndex& wakeups = path_.nodes[v.first].wakeups;
  WakeupForest::Insertion insertion;
  if (v.insight != nullptr) {
    const std::size_t same = unchanged_since(*v.insight, v.notdep);
    v.insight->made = executions_;
    insertion = path_.forest.insert(wakeups, v_, v.insight->trail, same);
  } else {
    insertion = path_.forest.insert(wakeups, v_, admission(v.first));
  }
  if (v.race != nullptr) v.race->inserted_within = inserted_within(*v.race, insertion);
}

WakeupForest::Admits RaceMemory::admission(EventIndex e) const {
  if (judge_ == nullptr) return nullptr;
  return [this, e](const Sequence& passed, const Sequence& w) {
    Sequence v = w;
    v.insert(v.end(), passed.begin(), passed.end() - 1);
    return !excluded(*judge_, {path_.steps.data(), e}, v, *passed.back());
  };
}

// What comes after e' in notdep(e, E) is independent of e', or it would happen after e. So it is for the last step of v
// if that is what e' was.
EventIndex RaceMemory::inserted_within(const Race& race, const WakeupForest::Insertion& insertion) const {
  if (insertion.all_counts || judge_ != nullptr || race.second >= path_.steps.size()) return kNoEvent;
  const Step &last = race.reversed, &second = path_.steps[race.second];
  const bool same =
      last.thread == second.thread && last.op.kind == second.op.kind && last.op.object == second.op.object;
  if (!same || !is_plain(last.op.kind)) return kNoEvent;
  return insertion.furthest ? static_cast<EventIndex>(insertion.furthest - path_.steps.data()) + 1 : 0;
}

}  // namespace heddle::explore
