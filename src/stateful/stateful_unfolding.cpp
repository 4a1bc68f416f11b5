#include "stateful/stateful_unfolding.h"

#include <algorithm>

#include "base/assert.h"
#include "base/random.h"
#include "stateful/stuck.h"
#include "unfold/outcomes.h"

namespace heddle::stateful {

using net::kNoLocal;
using net::kNoStep;
using net::kNoValue;
using net::LocalId;
using net::LocalState;
using net::StepId;
using net::ValueId;
using unfold::Condition;
using unfold::Event;
using unfold::kNoCondition;
using unfold::kNone;

namespace {

unfold::Status unfold_status(net::Status status) {
  switch (status) {
    case net::Status::kUnknown:
    case net::Status::kInner:
      return unfold::Status::kUnknown;
    case net::Status::kPending:
      return unfold::Status::kPending;
    case net::Status::kParked:
      return unfold::Status::kParked;
    case net::Status::kEnded:
      return unfold::Status::kEnded;
    case net::Status::kIdle:
      return unfold::Status::kIdle;
    case net::Status::kAwaiting:
      return unfold::Status::kAwaiting;
    case net::Status::kStopped:
      return unfold::Status::kStopped;
    case net::Status::kUnwanted:
      return unfold::Status::kUnwanted;
  }
  return unfold::Status::kUnknown;
}

struct HashOfMarking {
  std::size_t operator()(const net::Marking::Hash& hash) const { return hash.a; }
};

}  // namespace

StatefulUnfolding::StatefulUnfolding(const StatefulOptions& options)
    : options_(options),
      net_(options.net),
      judge_(net_, options.feasibility),
      tail_(net_, judge_),
      u_(unfold::Variant::kPlaceReplicated),
      co_(u_),
      extensions_(u_, co_, found_),
      labels_(1),
      by_size_(2) {
  if (options_.global.properties.empty()) return;
  global_ = std::make_unique<unfold::GlobalSearch>(u_, co_, options_.global);
  for (std::size_t p = 0; p < global_->properties(); ++p)
    atoms_.emplace_back(net_, global_->atoms(p), options_.global.locator);
}

bool StatefulUnfolding::next(Schedule& schedule) {
  schedule = {};
  aim_ = Aim::kLearn;
  if (!begun_) return begun_ = true;
  // What the net does not model it cannot foretell: its schedules might lead nowhere.
  if (net_.waits_on_words() || statistics_.turns) return false;
  if (!statistics_.complete && grow(schedule)) return true;
  if (statistics_.stopped) return false;
  statistics_.complete = true;
  return options_.findings && next_finding(schedule);
}

void StatefulUnfolding::learn(const Execution& execution) {
  ++(aim_ == Aim::kLearn ? statistics_.executions : statistics_.confirmations);
  net_.learn(execution);
  if (global_) global_->learn_answers(execution);
  note_limits(execution, statistics_);
  previous_.clear();
  for (const Step& step : execution.steps) previous_.push_back({step.thread, step.choice});
  std::erase_if(open_objects_, [&](ObjectId object) {
    const net::Value& v = net_[net_.initial(object)];
    if (!v.known) return false;
    u_[u_.initial(object)].state = v.state;
    extensions_.from_state(u_.initial(object));
    return true;
  });
  if (u_.condition_ids() == 1) begin();
  sort_in();
}

// Events enabled in the initial state (line 5).
void StatefulUnfolding::begin() {
  net_.starting().for_each_thread([&](ThreadId t) { reveal(u_.condition(t, kNone, kNone)); });
  if (global_) note_changes(kNone);
}

// New possible extensions, by the size of their local configurations.
void StatefulUnfolding::sort_in() {
  if (labels_.size() < u_.event_ids()) labels_.resize(u_.event_ids());
  for (const EventId e : found_) {
    Labelled& label = labels_[e.index()];
    const Event& event = u_[e];
    label.depth = labels_[event.previous.index()].depth + 1;
    label.level = labels_[event.previous.index()].level;
    std::size_t size = label.depth;
    const Past past = u_.past(e);
    for (std::size_t t = 0; t < past.size(); ++t) {
      if (t == event.thread.index()) continue;
      size += labels_[past[t]].depth;
      label.level = std::max(label.level, labels_[past[t]].level);
    }
    ++label.level;
    if (by_size_.size() <= size) by_size_.resize(size + 1);
    by_size_[size].push_back(e);
  }
  found_.clear();
}

// Size by size (line 6), until an execution is wanted (true) or there are no more events.
bool StatefulUnfolding::grow(Schedule& schedule) {
  for (; size_ < by_size_.size(); ++size_, looked_at_ = 0, sifted_ = false) {
    if (!sifted_) std::erase_if(by_size_[size_], [&](EventId e) { return !feasible(u_.past(e)); });
    sifted_ = true;
    if (run_unknown(schedule)) return true;  // line 10
    if (!add_level()) return false;
    std::vector<EventId>().swap(by_size_[size_]);
  }
  return false;
}

bool StatefulUnfolding::run_unknown(Schedule& schedule) {
  std::vector<EventId>& events = by_size_[size_];
  for (; looked_at_ < events.size(); ++looked_at_) {
    const EventId e = events[looked_at_];
    if (shown(e) || net_.is_idle(step_of(e))) continue;
    if (target_ == e && alone_) {
      ++statistics_.missed;
      continue;
    }
    alone_ = target_ == e;  // what else was to be shown may have ended the process
    target_ = e;
    write_schedule(u_.past(e), schedule);  // line 11
    if (alone_) return true;
    marking_of(u_.past(e));
    tail_.append(marking_, schedule);
    return true;
  }
  return false;
}

// Has its transition been run, and with it whatever it starts or wakes?
bool StatefulUnfolding::shown(EventId e) {
  const StepId step = step_of(e);
  if (!net_.known(step)) return false;
  bool known = true;
  net_.wakes(step).for_each_thread([&](ThreadId t) {
    const EventId last(unfold::last_in(u_.past(e), t.index()));
    const LocalId before = last == kNone ? kNoLocal : local_of(u_.condition(t, last, kNone));
    known = known && net_[net_.woken(t, before, net_[step].to)].status != net::Status::kUnknown;
  });
  return known;
}

// All events of one size: which of them lead to a marking that was there before, or that a smaller one of them leads
// to? False: somebody has asked to stop.
bool StatefulUnfolding::add_level() {
  std::vector<EventId> added;
  std::unordered_map<net::Marking::Hash, std::size_t, HashOfMarking> here;  // new marking -> place in `added`
  for (const EventId e : by_size_[size_]) {
    if (!shown(e) || net_.is_idle(step_of(e))) continue;
    net_.admit(step_of(e));
    ++statistics_.events;
    const net::Marking::Hash marking = local_marking(e);  // line 8
    SLOW_INVARIANT(marking == marking_of(u_.past(e)) && visited_.tells_apart(marking_));
    const auto known = here.find(marking);
    if (known != here.end()) {
      EventId& other = added[known->second];
      if (comes_before(e, other)) other = e;
      ++statistics_.cut_off;
      continue;
    }
    Visited::Entry& entry = visited_[marking];
    if (entry.used) {  // line 15
      ++statistics_.cut_off;
      continue;
    }
    visited_.fill(entry, {});
    here.emplace(marking, added.size());
    added.push_back(e);
  }
  constexpr std::size_t kOften = 1u << 12;
  for (std::size_t i = 0; i < added.size(); ++i) {
    add(added[i]);
    if (i % kOften == 0 && options_.goes_on && !options_.goes_on()) {
      statistics_.stopped = true;
      return false;
    }
  }
  return true;
}

// The hash of St(e). Each event takes some places away and puts others there, so a hash that is a sum over places
// changes by the same whatever the order, and those changes are summed up along each thread. But who is woken before
// the release inside its wait comes out otherwise than who is woken after it (ProgramNet::woken): where there are
// condition variables, configurations are gone through.
net::Marking::Hash StatefulUnfolding::local_marking(EventId e) {
  const net::StepId step = step_of(e);
  order_counts_ = order_counts_ || net_[step].kind == OpKind::kWait;
  if (order_counts_) return marking_of(u_.past(e));
  const Past past = u_.past(e);
  net::Marking::Hash hash;
  net_.starting().for_each_thread([&](ThreadId t) { hash ^= net::Marking::hash_of(net_.root(t)); });
  for (std::size_t t = 0; t < past.size(); ++t)
    hash ^= labels_[t == u_[e].thread.index() ? u_[e].previous.index() : past[t]].changes;
  // Where those that it wakes were, is known once all is gone through.
  net::Marking::Hash change;
  if (net_.wakes(step).empty()) {
    change = change_by(e);
  } else {
    change = marking_of(past);
    change ^= hash;
  }
  hash ^= change;
  change ^= labels_[u_[e].previous.index()].changes;
  labels_[e.index()].changes = change;
  SLOW_INVARIANT(hash == marking_of(past));
  return hash;
}

net::Marking::Hash StatefulUnfolding::change_by(EventId e) {
  const net::StepId step = step_of(e);
  const net::Transition& t = net_[step];
  net::Marking::Hash change = net::Marking::hash_of(t.from);
  change ^= net::Marking::hash_of(t.to);
  if (const ValueId leaves = net_.leaves(step); leaves != t.takes) {
    change ^= net::Marking::hash_of(net_, t.takes);
    change ^= net::Marking::hash_of(net_, leaves);
  }
  return change;
}

// Of a local configuration it is St(e).
net::Marking::Hash StatefulUnfolding::marking_of(Past configuration) {
  marking_.clear();
  net_.starting().for_each_thread([&](ThreadId t) { marking_.set(t, net_.root(t)); });
  co_.linearize(configuration, order_);
  for (const EventId f : order_) marking_.fire(net_, step_of(f));
  return marking_.hash();
}

void StatefulUnfolding::configuration(EventId e, std::vector<OrderedEvent>& events) {
  events.clear();
  for (const std::uint32_t last : u_.past(e))
    for (EventId f(last); f != kNone; f = u_[f].previous)
      events.push_back(
          {labels_[f.index()].level, std::uint64_t{u_[f].thread.value} << 32 | labels_[f.index()].step.value});
}

bool StatefulUnfolding::comes_before(EventId a, EventId b) {
  configuration(a, configuration_a_);
  configuration(b, configuration_b_);
  return erv_before(configuration_a_, configuration_b_);
}

LocalId StatefulUnfolding::local_of(ConditionId c) {
  const Condition& condition = u_[c];
  if (condition.waker == kNone)
    return condition.last == kNone ? net_.root(condition.thread) : net_[step_of(condition.last)].to;
  const LocalId before = condition.last == kNone ? kNoLocal : net_[step_of(condition.last)].to;
  return net_.woken(condition.thread, before, net_[step_of(condition.waker)].to);
}

ValueId StatefulUnfolding::value_of(EventId write) {
  if (u_[write].thread == kNoThread) return net_.initial(u_[write].object);
  return net_.leaves(step_of(write));
}

StepId StatefulUnfolding::step_of(EventId e) {
  if (const StepId known = labels_[e.index()].step; known != kNoStep) return known;
  const Event event = u_[e];
  const LocalId from = local_of(event.from);
  const StepId step = event.kind == OpKind::kJoin
                          ? net_.join(from, local_of(event.joined))
                          : net_.step(from, event.source == kNone ? kNoValue : value_of(event.source), event.choice);
  return labels_[e.index()].step = step;
}

bool StatefulUnfolding::feasible(Past past) {
  if (options_.feasibility == nullptr) return true;
  locals_.clear();
  for (const std::uint32_t last : past)
    if (last != 0) locals_.push_back(net_[step_of(EventId(last))].to);
  return judge_.feasible(locals_);
}

void StatefulUnfolding::write_schedule(Past past, Schedule& schedule) {
  const bool possible = co_.linearize(past, order_);
  INVARIANT(possible);
  write_order(schedule);
}

void StatefulUnfolding::write_order(Schedule& schedule) {
  for (const EventId e : order_)
    schedule.steps.push_back({u_[e].thread, has_alternatives(u_[e].kind) ? u_[e].choice : std::uint16_t{0}});
  const std::size_t n = std::min(schedule.steps.size(), previous_.size());
  while (schedule.fresh < n && schedule.steps[schedule.fresh] == previous_[schedule.fresh]) ++schedule.fresh;
}

// The event joins the prefix and is no terminal: what can follow it (line 17)?
void StatefulUnfolding::add(EventId e) {
  const net::Transition t = net_[step_of(e)];
  u_[e].kind = t.kind;
  u_.cover(e);
  if (t.kind == OpKind::kTerminate) u_[e].state = kLosesWork;
  if (u_[e].source != kNone) {
    if (u_[e].writes()) {
      u_[e].state = net_[net_.leaves(step_of(e))].state;
      const ThreadSet set = is_arrival(t.kind) ? net_.wakes(step_of(e)) : net_.waiters(net_.leaves(step_of(e)));
      if (!set.empty()) u_.sets[e.value] = set;
      extensions_.from_write(e);
    } else {
      extensions_.from_read(e);
    }
  }
  if (global_) note_changes(e);
  reveal(u_.condition(u_[e].thread, e, kNone));
  reveal_woken(e);
  sort_in();
}

// Conditions of threads that were started or woken. Who waits on a condition variable has one for each pair of a
// release of its mutex and a waker, in whichever order they come.
void StatefulUnfolding::reveal_woken(EventId e) {
  const auto both = [&](EventId release, EventId waker) {
    if (co_.compatible(u_.past(release), u_.past(waker))) reveal(u_.condition(u_[release].thread, release, waker));
  };
  if (u_[e].kind == OpKind::kWaitRelease) {
    Wakings& wait = waits_[u_[e].previous.value];
    wait.releases.push_back(e);
    for (const EventId waker : std::vector<EventId>(wait.wakers)) both(e, waker);
    return;
  }
  net_.wakes(step_of(e)).for_each_thread([&](ThreadId t) {
    EventId last(unfold::last_in(u_.past(e), t.index()));
    const bool waits = last != kNone && (u_[last].kind == OpKind::kWait || u_[last].kind == OpKind::kWaitRelease);
    if (!waits) return reveal(u_.condition(t, last, e));
    if (u_[last].kind == OpKind::kWaitRelease) last = u_[last].previous;
    Wakings& wait = waits_[last.value];
    wait.wakers.push_back(e);
    for (const EventId release : std::vector<EventId>(wait.releases)) both(release, e);
  });
}

// What the net knows of the thread in the condition.
void StatefulUnfolding::reveal(ConditionId c) {
  if (u_[c].status != unfold::Status::kUnknown) return;
  const LocalState state = net_[local_of(c)];
  u_[c].kind = state.kind;
  u_[c].object = state.object;
  u_[c].peer = state.peer;
  u_[c].where = state.where;
  u_[c].status = unfold_status(state.status);
  if (state.status == net::Status::kEnded) return extensions_.from_end(c);
  if (state.status != net::Status::kPending) return;
  if (trace::compares(state.kind)) u_.expected[c.value] = state.expected;
  if (state.kind == OpKind::kBranch || state.kind == OpKind::kAssume) u_.branch_values[c.value] = state.expected;
  if (has_alternatives(state.kind) && state.object == kNoObject)
    u_.alternatives[c.value] = net_.choices(local_of(c), kNoValue);
  if (state.kind == OpKind::kJoin) note_end_without_steps(state.peer);
  if (state.object == kNoObject) return extensions_.from_condition(c, kNone);
  // The last write of the object in its past: writes of one past are ordered, and ids with them.
  EventId source = initial(state.object);
  PastBuffer buffer;
  for (const std::uint32_t last : u_.past(c, buffer)) {
    EventId e(last);
    while (e > source && !(u_[e].object == state.object && u_[e].writes())) e = u_[e].previous;
    source = std::max(source, e);
  }
  extensions_.from_condition(c, source);
}

EventId StatefulUnfolding::initial(ObjectId object) {
  const std::size_t before = u_.event_ids();
  const EventId e = u_.initial(object);
  if (u_.event_ids() == before) return e;
  const net::Value& v = net_[net_.initial(object)];
  if (v.known)
    u_[e].state = v.state;
  else
    open_objects_.push_back(object);
  return e;
}

// A thread that is there from the start and does nothing has a condition only when somebody asks for its end.
void StatefulUnfolding::note_end_without_steps(ThreadId thread) {
  if (net_.starting().contains(thread) || net_.spawned(thread)) return;
  const ConditionId c = u_.condition(thread, kNone, kNone);
  if (u_[c].status != unfold::Status::kUnknown) return;
  u_[c].status = unfold::Status::kEnded;
  extensions_.from_end(c);
}

Statistics StatefulUnfolding::statistics() const {
  Statistics s = statistics_;
  s.net = net_.counts();
  s.markings = visited_.size() + 1;  // and the initial one
  s.deadlocks = blocked_.size();
  s.unforeseen = net_.unforeseen();
  s.words = net_.waits_on_words();
  s.undecided = global_ && global_->undecided();
  s.bytes = net_.bytes() + u_.bytes() + co_.bytes() + extensions_.bytes() + visited_.bytes() + judge_.bytes() +
            labels_.size() * sizeof(Labelled);
  return s;
}

}  // namespace heddle::stateful
