#include "net/program_net.h"

#include <algorithm>

#include "base/assert.h"
#include "base/random.h"
#include "trace/dependence.h"
#include "trace/object.h"

namespace heddle::net {

using namespace trace;

namespace {

// What a thread observes when it comes from one local state to the next, as part of a key. A key holds two ids of 30
// bits, which is more than fit into memory.
enum Tag : std::uint64_t { kNothing = 1, kValue, kChoice, kWaker, kEnd, kOutcome };

std::uint64_t key_of(std::uint64_t tag, std::uint32_t a, std::uint32_t b) {
  return tag << 60 | std::uint64_t{a} << 30 | b;
}

bool is_read(OpKind kind) { return access_of(kind) == Access::kReads; }

std::uint64_t with_state(ObjectId object, std::uint64_t state) { return combine(object.value, state); }

}  // namespace

ProgramNet::ProgramNet(const NetOptions& options)
    : options_(options), locals_(1), values_(1), transitions_(1), marking_(std::make_unique<Marking>()) {}

ProgramNet::~ProgramNet() = default;

LocalId ProgramNet::child(LocalId parent, std::uint64_t tag, std::uint32_t seen, ThreadId thread) {
  std::uint32_t& known = children_[key_of(tag, parent.value, seen)];
  if (known != 0) return LocalId(known);
  known = static_cast<std::uint32_t>(locals_.size());
  INVARIANT(known < (1u << 30));
  const LocalId branch = locals_[parent.index()].branch;
  LocalState& state = locals_.emplace_back();
  state.parent = parent;
  state.thread = thread;
  state.branch = branch;
  return LocalId(known);
}

LocalId ProgramNet::root(ThreadId thread) {
  if (roots_.size() <= thread.index()) roots_.resize(thread.index() + 1);
  if (roots_[thread.index()] == kNoLocal) {
    roots_[thread.index()] = LocalId(static_cast<std::uint32_t>(locals_.size()));
    locals_.emplace_back().thread = thread;
  }
  return roots_[thread.index()];
}

ValueId ProgramNet::initial(ObjectId object) {
  if (initials_.size() <= object.index()) initials_.resize(object.index() + 1);
  ValueId& v = initials_[object.index()];
  if (v == kNoValue) {
    v = ValueId(static_cast<std::uint32_t>(values_.size()));
    Value& value = values_.emplace_back();
    value.object = object;
    value.slot = slots_++;
  }
  return v;
}

bool ProgramNet::uses(ObjectId object) const {
  return object.index() < initials_.size() && initials_[object.index()] != kNoValue;
}

ValueId ProgramNet::add_value(ObjectId object, LocalId writer) {
  const std::uint32_t slot = values_[initial(object).index()].slot;
  Value& value = values_.emplace_back();
  value.object = object;
  value.writer = writer;
  value.slot = slot;
  return ValueId(static_cast<std::uint32_t>(values_.size() - 1));
}

// The place of a lock or semaphore in a state.
ValueId ProgramNet::counted(ObjectId object, std::uint64_t state) {
  ValueId& v = counted_[with_state(object, state)];
  if (v == kNoValue) {
    v = add_value(object, kNoLocal);
    values_[v.index()].state = state;
    values_[v.index()].known = true;
  }
  return v;
}

std::optional<OpKind> ProgramNet::outcome(LocalId from, ValueId found) const {
  const LocalState& p = locals_[from.index()];
  const Value& v = values_[found.index()];
  if (p.kind == OpKind::kTimeout)
    return waiters(found).contains(p.thread) ? std::optional(OpKind::kTimeout) : std::nullopt;
  // Nobody has come to it in any execution: to be found out.
  if (!v.known) return p.kind;
  return outcome_at(p.kind, v.state, p.expected);
}

ChoiceSet ProgramNet::choices(LocalId from, ValueId found) const {
  const LocalState& p = locals_[from.index()];
  if (p.kind == OpKind::kSignal) {
    const ThreadSet waiting = waiters(found);
    return waiting.empty() ? ChoiceSet::of(0) : waiting;
  }
  const auto known = alternatives_.find(from.value);
  return known == alternatives_.end() ? ChoiceSet::of(0) : known->second;
}

// Where an operation leads its own thread.
LocalId ProgramNet::after(LocalId from, ValueId found, std::uint16_t choice, OpKind kind) {
  const ThreadId thread = locals_[from.index()].thread;
  if (is_on_counted(kind))
    return is_attempt(undecided(kind)) ? child(from, kOutcome, is_read(kind) ? 1 : 2, thread)
                                       : child(from, kNothing, 0, thread);
  if (kind == OpKind::kSignal) {
    const LocalId half = child(from, kValue, found.value, thread);
    locals_[half.index()].status = Status::kInner;
    return child(half, kChoice, choice, thread);
  }
  if (has_alternatives(kind)) return child(from, kChoice, choice, thread);
  const bool blind = kind == OpKind::kWrite || found == kNoValue;
  return blind ? child(from, kNothing, 0, thread) : child(from, kValue, found.value, thread);
}

ValueId ProgramNet::left_by(LocalId to, ValueId found, OpKind kind) {
  if (found == kNoValue || is_read(kind)) return found;
  const ObjectId object = values_[found.index()].object;
  if (is_on_counted(kind)) return counted(object, state_after(kind, values_[found.index()].state, 0));
  ValueId& wrote = locals_[to.index()].wrote;
  if (wrote == kNoValue) wrote = add_value(object, to);
  return wrote;
}

std::uint64_t ProgramNet::step_key(LocalId from, ValueId found, std::uint16_t choice) const {
  const std::uint64_t seen = found == kNoValue ? choice : found.value;
  const auto key = key_of(found == kNoValue ? kChoice : kValue, from.value, static_cast<std::uint32_t>(seen));
  return locals_[from.index()].kind == OpKind::kSignal ? combine(key, choice) : key;
}

StepId ProgramNet::find_step(LocalId from, ValueId found, std::uint16_t choice) const {
  return StepId(known_steps_.find(step_key(from, found, choice)));
}

StepId ProgramNet::step(LocalId from, ValueId found, std::uint16_t choice) {
  const std::uint64_t key = step_key(from, found, choice);
  if (const std::uint32_t known = known_steps_.find(key); known != 0) return StepId(known);
  const auto kind = outcome(from, found);
  INVARIANT(kind.has_value());
  const LocalId base = locals_[from.index()].base;
  LocalId to = after(base == kNoLocal ? from : base, found, choice, *kind);
  const ValueId leaves = left_by(to, found, *kind);
  if (base != kNoLocal) to = woken(locals_[from.index()].thread, to, locals_[from.index()].waker);
  if (*kind == OpKind::kBranch || *kind == OpKind::kAssume) locals_[to.index()].branch = to;
  const auto id = static_cast<std::uint32_t>(transitions_.size());
  transitions_.push_back({from, to, found, leaves, *kind, choice});
  if (locals_[to.index()].by == kNoStep) locals_[to.index()].by = StepId(id);
  known_steps_[key] = id;
  return StepId(id);
}

std::uint64_t ProgramNet::join_key(LocalId from, LocalId ended) const {
  return key_of(kEnd, from.value, options_.joins_see ? ended.value : 0);
}

StepId ProgramNet::find_join(LocalId from, LocalId ended) const {
  return StepId(known_steps_.find(join_key(from, ended)));
}

StepId ProgramNet::join(LocalId from, LocalId ended) {
  const std::uint32_t seen = options_.joins_see ? ended.value : 0;
  std::uint32_t& known = known_steps_[join_key(from, ended)];
  if (known != 0) return StepId(known);
  known = static_cast<std::uint32_t>(transitions_.size());
  const LocalId to = child(from, kEnd, seen, locals_[from.index()].thread);
  transitions_.push_back({from, to, kNoValue, kNoValue, OpKind::kJoin, 0});
  if (locals_[to.index()].by == kNoStep) locals_[to.index()].by = StepId(known);
  return StepId(known);
}

// Of two writes: where in the source they are, and on what.
std::uint64_t ProgramNet::order_key(const Transition& t) const {
  const LocalId writer = values_[t.takes.index()].writer;
  if (writer == kNoLocal) return 0;
  return combine(combine(locals_[t.from.index()].where, locals_[locals_[writer.index()].parent.index()].where),
                 static_cast<std::uint64_t>(t.kind));
}

bool ProgramNet::known(StepId id) const {
  const Transition& t = transitions_[id.index()];
  if (locals_[t.to.index()].status == Status::kUnknown) return false;
  if (!options_.orders_matter || t.kind != OpKind::kWrite) return true;
  const std::uint64_t order = order_key(t);
  return order == 0 || orders_seen_.contains(order);
}

ValueId ProgramNet::leaves(StepId id) const {
  const Transition& t = transitions_[id.index()];
  return values_[t.leaves.index()].merged ? locals_[t.to.index()].wrote : t.leaves;
}

bool ProgramNet::is_idle(StepId id) const {
  while (id != kNoStep && transitions_[id.index()].kind == OpKind::kJoin) {
    const LocalState& from = locals_[transitions_[id.index()].from.index()];
    if (from.status == Status::kIdle) return true;
    id = from.by;
  }
  return false;
}

ThreadSet ProgramNet::waiters(ValueId v) const {
  const auto known = waiters_.find(v.value);
  return known == waiters_.end() ? ThreadSet{} : known->second;
}

ThreadSet ProgramNet::wakes(StepId id) const {
  const Transition& t = transitions_[id.index()];
  switch (t.kind) {
    case OpKind::kSpawn:
      return ThreadSet::of(locals_[t.from.index()].peer.index());
    case OpKind::kSignal:
      return waiters(t.takes).empty() ? ThreadSet{} : ThreadSet::of(t.choice);
    case OpKind::kBroadcast:
      return waiters(t.takes);
    case OpKind::kArrive:
    case OpKind::kArriveInTurn: {
      const auto opened = opened_.find(t.to.value);
      if (opened == opened_.end()) return {};
      return opened->second - ThreadSet::of(locals_[t.to.index()].thread.index());
    }
    default:
      return {};
  }
}

LocalId ProgramNet::woken(ThreadId thread, LocalId before, LocalId waker) {
  if (before == kNoLocal) {
    before = root(thread);
    locals_[before.index()].status = Status::kInner;
    spawned_.insert(thread);
  }
  const LocalId to = child(before, kWaker, waker.value, thread);
  LocalState& state = locals_[to.index()];
  if (state.status != Status::kUnknown) return to;
  const LocalState& was = locals_[before.index()];
  const LocalState& release = locals_[was.parent.index()];
  if (was.by != kNoStep && transitions_[was.by.index()].kind == OpKind::kWait) {
    state.base = before;
    state.waker = waker;
    state.status = was.status;  // what is known of one is known of the other
    state.kind = was.kind;
    state.object = was.object;
    state.where = was.where;
  } else if (was.parent != kNoLocal && release.status == Status::kPending && release.kind == OpKind::kWaitRelease) {
    state.status = Status::kPending;  // it takes its mutex again
    state.kind = OpKind::kAcquire;
    state.object = release.object;
    state.where = release.where;
  }
  return to;
}

ProgramNet::Counts ProgramNet::counts() const {
  Counts counts;
  std::uint64_t threads = 0, locks = 0, values = 0;
  for (std::size_t i = 1; i < locals_.size(); ++i)
    threads +=
        locals_[i].status != Status::kInner && locals_[i].status != Status::kUnknown && locals_[i].base == kNoLocal;
  std::vector<bool> is_counted(values_.size(), false);
  for (const auto& [key, v] : counted_) is_counted[v.index()] = true;
  for (std::size_t i = 1; i < values_.size(); ++i) {
    // What nobody has been seen to write, inputs do not lead to.
    if (!is_counted[i])
      values += !values_[i].merged && (values_[i].known || values_[i].writer == kNoLocal);
    else if (values_[i].state != kHeldExclusively)
      ++locks;
  }
  const auto copies = static_cast<std::uint64_t>(starting_.size()) + spawned_.size();
  counts.places = threads + locks + values;
  counts.replicated = threads + locks + values * copies;
  for (std::size_t i = 1; i < transitions_.size(); ++i) {
    const Transition& t = transitions_[i];
    if (locals_[t.from.index()].base != kNoLocal) continue;
    const bool branches = t.kind == OpKind::kBranch || t.kind == OpKind::kAssume;
    counts.transitions += t.admitted || branches;
    counts.feasible += t.admitted;
  }
  return counts;
}

std::size_t ProgramNet::bytes() const {
  return locals_.size() * sizeof(LocalState) + values_.size() * sizeof(Value) +
         transitions_.size() * sizeof(Transition) + children_.bytes() + known_steps_.bytes();
}

void Marking::clear() {
  locals_.clear();
  values_.clear();
  hash_ = {};
}

namespace {

Marking::Hash hash_of_number(std::uint64_t what) {
  const std::uint64_t mixed = mix(what);
  return {mixed, mix(mixed + 0x5851f42d4c957f2dull)};
}

}  // namespace

Marking::Hash Marking::hash_of(LocalId p) { return p == kNoLocal ? Hash{} : hash_of_number(p.value); }

Marking::Hash Marking::hash_of(ProgramNet& net, ValueId v) {
  if (v == kNoValue || v == net.initial(net[v].object)) return {};
  return hash_of_number(1ull << 32 | v.value);
}

ValueId Marking::value(ProgramNet& net, ObjectId object) const {
  if (object == kNoObject) return kNoValue;
  const ValueId initial = net.initial(object);
  const std::size_t slot = net[initial].slot;
  const ValueId v = slot < values_.size() ? values_[slot] : kNoValue;
  return v == kNoValue ? initial : v;
}

void Marking::set(ThreadId t, LocalId p) {
  if (locals_.size() <= t.index()) locals_.resize(t.index() + 1);
  LocalId& local = locals_[t.index()];
  hash_ ^= hash_of(local);
  local = p;
  hash_ ^= hash_of(local);
}

void Marking::set(ProgramNet& net, ObjectId object, ValueId v) {
  const ValueId initial = net.initial(object);
  const std::size_t slot = net[initial].slot;
  if (values_.size() <= slot) values_.resize(slot + 1);
  ValueId& value = values_[slot];
  hash_ ^= hash_of(net, value);
  value = v == initial ? kNoValue : v;
  hash_ ^= hash_of(net, value);
}

bool Marking::has_the_places_of(const Marking& other) const {
  const auto same = [](const auto& a, const auto& b, auto nothing) {
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
      if ((i < a.size() ? a[i] : nothing) != (i < b.size() ? b[i] : nothing)) return false;
    return true;
  };
  return same(locals_, other.locals_, kNoLocal) && same(values_, other.values_, kNoValue);
}

void Marking::fire(ProgramNet& net, StepId id) {
  Transition t = net[id];
  const ThreadId thread = net[t.to].thread;
  if (const LocalId now = local(thread); now != t.from && net[now].base == t.from && now != kNoLocal) {
    id = net.step(now, t.takes, t.choice);  // it was woken before this release
    t = net[id];
  }
  set(thread, t.to);
  if (const ValueId leaves = net.leaves(id); leaves != t.takes) set(net, net[leaves].object, leaves);
  net.wakes(id).for_each_thread([&](ThreadId other) { set(other, net.woken(other, local(other), t.to)); });
}

}  // namespace heddle::net
