#include "native/runtime/known_steps.h"

#include <string.h>
#include <x86intrin.h>

#include <algorithm>

#include "native/runtime/heap.h"
#include "native/runtime/memory_hash.h"
#include "native/runtime/object_state.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/world.h"

namespace heddle::runtime {

constinit KnownSteps known_steps;

namespace {

using trace::Execution;
using trace::Schedule;

constinit MemoryHash memory_hash;

// Following must be worth what it costs. It begins with learning, so there is some patience with windows of
// executions in which it did not pay, and less with those in which it cost twice as much as running.
constexpr std::uint32_t kWindow = 512;
constexpr std::uint32_t kMeasured = 16;  // one in so many attempts to follow

// Who holds a mutex, and how often, must be in memory that threads share (memory_hash.h), not on a thread's
// own pages.
bool is_shared(std::uint64_t address) {
  if (Heap::contains(reinterpret_cast<const void*>(address)) || rt.thread[0].stack.contains(address)) return true;
  for (std::size_t t = 0; t < rt.known_threads; ++t)
    if (address >= rt.thread[t].tls.pages_begin() && address < rt.thread[t].tls.pages_end()) return false;
  return world.contains(address);
}

bool is_simple_object(const Object& object) {
  if (object.mixed) return false;
  if (object.kind == protocol::ObjectKind::kMutex)
    return object.size == sizeof(pthread_mutex_t) && is_shared(object.address);
  return object.kind == protocol::ObjectKind::kMemory && object.size <= 8;
}

bool same_operation(const Step& a, const Step& b) {
  return a.thread == b.thread && a.op.kind == b.op.kind && a.op.object == b.op.object && a.op.peer == b.op.peer &&
         a.where == b.where;
}

bool is_of_lock(OpKind kind) {
  return kind == OpKind::kAcquire || kind == OpKind::kRelease || kind == OpKind::kTryAcquire;
}

bool same_step(const Step& a, const Step& b) {
  return same_operation(a, b) && a.op.before == b.op.before && a.op.after == b.op.after && a.choice == b.choice &&
         a.enabled == b.enabled;
}

}  // namespace

void KnownSteps::forget() {
  begun_ = recording_ = refuted_ = false;
  pasts_.assign(1, {});
  past_table_.clear();
  effects_.assign(1, {});
  std::fill(std::begin(last_), std::end(last_), 0);
  effect_table_.clear();
  memories_.clear();
  memory_table_.clear();
  path_of_ = nullptr;
  path_.clear();
  decisions_.clear();
}

void KnownSteps::refute() {
  switch_off();
  refuted_ = true;
}

// --- the state along the path ---

inline void KnownSteps::place(ThreadId t, OwnPastId id) {
  const Role role = pasts_[id].role, before = pasts_[past_[t.index()]].role;
  past_[t.index()] = id;
  if (role == before) [[likely]]
    return;
  const auto put = [t](ThreadSet& set, bool in) { in ? set.insert(t) : set.erase(t); };
  put(live_, role == Role::kReady || role == Role::kWaiting);
  put(waiting_, role == Role::kWaiting);
  put(ended_, role == Role::kEnded || role == Role::kEndedProcess);
}

// The step of thread t, with what it has led to.
inline void KnownSteps::go(ThreadId t, const Step& step, const Effect& effect) {
  Taken& taken = path_.emplace_back();  // and filled there: see Conductor::write_down
  taken.thread = t;
  taken.past = past_[t.index()];
  taken.memory = memory_;
  taken.threads = threads_;
  taken.object = step.op.object;
  if (taken.object != kNoObject) {
    std::uint64_t& value = values_[taken.object.index()];
    taken.value = value;
    if (effect.kind != OpKind::kCasFailed) value = effect.after;
  }
  if (effect.child != 0) {
    taken.child = step.op.peer;
    place(taken.child, effect.child);
    threads_ = std::max(threads_, static_cast<std::uint16_t>(taken.child.index() + 1));
  }
  place(t, effect.past);
  memory_ = effect.memory;
  decisions_.push_back({t, 0});  // none of these operations has alternatives
}

void KnownSteps::rewind(std::size_t position) {
  while (path_.size() > position) {
    const Taken& taken = path_.back();
    if (taken.object != kNoObject) values_[taken.object.index()] = taken.value;
    if (taken.child != kNoThread) place(taken.child, 0);
    place(taken.thread, taken.past);
    memory_ = taken.memory;
    threads_ = taken.threads;
    path_.pop_back();
  }
  decisions_.resize(position);
}

bool KnownSteps::is_blocked(const Step& next) const {
  return next.op.kind == OpKind::kJoin ? !ended_.contains(next.op.peer)
                                       : values_[next.op.object.index()] != trace::kLockFree;
}

ThreadSet KnownSteps::enabled() const {
  ThreadSet enabled = live_.by_words();
  waiting_.for_each([&](std::size_t t) {
    if (is_blocked(pasts_[past_[t]].next)) enabled.erase(t);
  });
  return enabled;
}

// --- what is known ---

inline std::uint64_t KnownSteps::found_by(const trace::Operation& op) const {
  switch (op.kind) {
    case OpKind::kRead:
    case OpKind::kUpdate:
    case OpKind::kCas:
    case OpKind::kTryAcquire:
      return values_[op.object.index()];
    case OpKind::kJoin:
      return pasts_[past_[op.peer.index()]].result;
    default:
      return 0;
  }
}

inline KnownSteps::Key KnownSteps::key_of(ThreadId t) const {
  const OwnPastId past = past_[t.index()];
  return {found_by(pasts_[past].next.op), past, memory_};
}

std::uint64_t KnownSteps::hash_of(const Key& key) {
  const std::uint64_t h =
      key.found * 0x9e3779b97f4a7c15ull ^ (std::uint64_t{key.memory} << 32 | key.past) * 0xff51afd7ed558ccdull;
  return (h ^ (h >> 31)) * 0xc2b2ae3d27d4eb4full;
}

// What a thread does next is mostly what it did next the last time after the same step.
inline const KnownSteps::Effect* KnownSteps::find(ThreadId t, const Key& key) {
  std::uint32_t& last = last_[t.index()];
  std::uint32_t& guess = effects_[last].next;
  if (effects_[guess].key != key) {
    const std::uint32_t* index =
        effect_table_.find(hash_of(key), [&](std::uint32_t i) { return effects_[i].key == key; });
    if (index == nullptr) return nullptr;
    guess = *index;
  }
  last = guess;
  return &effects_[last];
}

void KnownSteps::insert(const Effect& effect) {
  effect_table_.insert(hash_of(effect.key), static_cast<std::uint32_t>(effects_.size()));
  effects_.push_back(effect);
}

KnownSteps::MemoryId KnownSteps::memory_now() {
  std::uint64_t hash = 0;
  if (!memory_hash.shared(hash)) {
    switch_off();
    return 0;
  }
  if (memory_ < memories_.size() && memories_[memory_] == hash) return memory_;
  if (const std::uint32_t* id = memory_table_.find(hash, [&](std::uint32_t i) { return memories_[i] == hash; }))
    return *id;
  memory_table_.insert(hash, static_cast<std::uint32_t>(memories_.size()));
  memories_.push_back(hash);
  return static_cast<MemoryId>(memories_.size() - 1);
}

// --- recording ---

void KnownSteps::begin_run(const Schedule& schedule, const Execution& execution, std::size_t position) {
  recording_ = false;
  window_.began = __rdtsc();
  if (!on_ || rt.detailed || rt.output_shown || schedule.tail.kind != trace::TailKind::kFirst) {
    path_of_ = nullptr;
  } else if (position == 0) {
    path_of_ = &execution;
    if (begun_) rewind(0);
    recording_ = true;
  } else if (begun_ && &execution == path_of_) {
    const std::size_t common = common_prefix(schedule);
    rewind(std::min(common, position));
    recording_ = position <= common;
  }
}

bool KnownSteps::read_objects() {
  if (objects.size() > kMostObjects) return false;
  memory_hash.look_at_objects();
  values_.assign(objects.size(), 0);
  simple_.assign(objects.size(), 0);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const Object& object = objects.entry(i);
    if (!is_simple_object(object) || !is_always_there(object.address)) continue;
    simple_[i] = 1;
    values_[i] = *state_of(object);
  }
  return true;
}

// The first operation of the main thread has been announced; it is the only one.
void KnownSteps::begin_path() {
  if (!begun_ || values_.size() != objects.size()) {
    const Execution* execution = path_of_;
    forget();
    path_of_ = execution;
    recording_ = true;
  }
  if (!read_objects()) return switch_off();
  begun_ = true;
  path_.clear();
  decisions_.clear();
  threads_ = 1;
  std::fill(std::begin(past_), std::end(past_), 0);
  live_ = waiting_ = ended_ = {};
  memory_ = memory_now();
  if (!on_) return;
  constexpr OwnPastId kFirst = 1;
  if (pasts_.size() == kFirst) add_past(ThreadId(0), Reached::kNextStep);
  if (!leads_to(kFirst, ThreadId(0), Reached::kNextStep)) return refute();
  place(ThreadId(0), kFirst);
}

void KnownSteps::record_arrival() {
  const auto& steps = rt.execution->steps;
  if (steps.empty()) return begin_path();
  // Bytes that have become an object since are in hashes that are known; and what they were at the beginning
  // is not known.
  if (values_.size() != objects.size()) {
    begun_ = recording_ = false;
    return;
  }
  if (steps.size() == path_.size()) return;
  recording_ = steps.size() == path_.size() + 1 && record(steps.back(), Reached::kNextStep);
}

void KnownSteps::end_run(const Execution& execution) {
  window_.running += __rdtsc() - window_.began;
  ++window_.runs;
  judge_window();
  if (!recording_) return;
  recording_ = false;
  const bool ended = execution.outcome == trace::Outcome::kComplete || execution.outcome == trace::Outcome::kFailed;
  if (!ended || values_.size() != objects.size() || execution.steps.size() != path_.size() + 1) return;
  ThreadSet others = live_;
  others.erase(execution.steps.back().thread);
  if (others.empty()) record(execution.steps.back(), Reached::kEndOfProcess);
}

// Has it paid? Otherwise every execution would have been run, without recording.
void KnownSteps::judge_window() {
  if (window_.runs + window_.followed < kWindow) return;
  const std::uint64_t spent = window_.running + window_.following;
  const std::uint64_t each =
      (window_.running - std::min(window_.recording, window_.running)) / std::max(window_.runs, 1u);
  const std::uint64_t otherwise = each * (window_.runs + window_.followed);
  patience_ -= spent > 2 * otherwise ? 4 : 1;
  if (spent <= otherwise) patience_ = kPatience;
  window_ = {};
  if (patience_ <= 0) switch_off();
}

bool KnownSteps::is_simple(const Step& step) const {
  const OpKind kind = step.op.kind;
  if (on_memory(kind) || kind == OpKind::kAcquire || kind == OpKind::kRelease || kind == OpKind::kTryAcquire ||
      kind == OpKind::kTryFailed)
    return simple_[step.op.object.index()] != 0 && !objects[step.op.object].mixed;
  return kind == OpKind::kSpawn || kind == OpKind::kJoin;
}

// Is that what thread t has come to?
bool KnownSteps::leads_to(OwnPastId id, ThreadId t, Reached reached) const {
  const OwnPast& past = pasts_[id];
  const Thread& thread = rt.thread[t.index()];
  if (reached == Reached::kEndOfProcess) return past.role == Role::kEndedProcess;
  if (thread.status == ThreadStatus::kEnded)
    return past.role == Role::kEnded && past.result == reinterpret_cast<std::uint64_t>(thread.result);
  return (past.role == Role::kReady || past.role == Role::kWaiting) && thread.status == ThreadStatus::kPending &&
         same_operation(past.next, rt.conductor.pending(t));
}

// Pasts that leave the thread in the same state are one.
KnownSteps::OwnPastId KnownSteps::add_past(ThreadId t, Reached reached) {
  const Thread& thread = rt.thread[t.index()];
  OwnPast past;
  past.thread = t;
  past.state = 1;
  if (reached == Reached::kEndOfProcess) {
    past.role = Role::kEndedProcess;
  } else if (thread.status == ThreadStatus::kEnded) {
    past.role = Role::kEnded;
    past.result = reinterpret_cast<std::uint64_t>(thread.result);
  } else {
    past.next = rt.conductor.pending(t);
    const OpKind kind = past.next.op.kind;
    past.role = kind == OpKind::kJoin || kind == OpKind::kAcquire ? Role::kWaiting : Role::kReady;
    past.state = t == rt.current ? memory_hash.own() : 0;
  }
  if (past.state == 0) return append(past);
  const std::uint64_t hash = mix(past.state ^ past.result ^ (std::uint64_t{t.value} << 32) ^ past.next.where);
  const std::uint32_t* id = past_table_.find(hash, [&](std::uint32_t i) {
    const OwnPast& other = pasts_[i];
    return other.state == past.state && other.role == past.role && other.result == past.result && other.thread == t &&
           same_operation(other.next, past.next) && other.next.op.after == past.next.op.after;
  });
  if (id != nullptr) return *id;
  past_table_.insert(hash, static_cast<std::uint32_t>(pasts_.size()));
  return append(past);
}

KnownSteps::OwnPastId KnownSteps::append(const OwnPast& past) {
  pasts_.push_back(past);
  return static_cast<OwnPastId>(pasts_.size() - 1);
}

bool KnownSteps::same_effect(const Effect& effect, const Step& step, Reached reached) const {
  if (effect.kind != step.op.kind || effect.after != step.op.after) return false;
  if (!leads_to(effect.past, step.thread, reached)) return false;
  return effect.child == 0 || leads_to(effect.child, step.op.peer, Reached::kNextStep);
}

// False: the state after this step is not known.
bool KnownSteps::record(const Step& step, Reached reached) {
  if (!is_simple(step)) return false;
  const Key key = key_of(step.thread);
  const Effect* known = find(step.thread, key);
  const bool foreseeable = is_foreseeable(step, reached);
  const bool seen_otherwise = step.op.object != kNoObject && values_[step.op.object.index()] != step.op.before;
  if (seen_otherwise || (known != nullptr && !(foreseeable && same_effect(*known, step, reached)))) {
    refute();
    return false;
  }
  if (known == nullptr) {
    if (!foreseeable || effects_.size() == kMostEffects) return false;
    const std::uint64_t began = __rdtsc();
    Effect added{key, 0, 0, memory_, step.op.kind, 0, step.op.after};
    if (reached == Reached::kNextStep) added.memory = memory_now();
    if (!on_) return false;
    added.past = add_past(step.thread, reached);
    if (step.op.kind == OpKind::kSpawn) added.child = add_past(step.op.peer, Reached::kNextStep);
    insert(added);
    known = &effects_.back();
    window_.recording += __rdtsc() - began;
  }
  go(step.thread, step, *known);
  return true;
}

// Has the step led to something that can be known? Not to a failure, nor to an operation that is always run.
bool KnownSteps::is_foreseeable(const Step& step, Reached reached) {
  const auto& failures = rt.execution->failures;
  if (!failures.empty() && failures.back().step >= rt.execution->steps.size()) return false;
  const auto has_come_somewhere = [](ThreadId t) {
    const Thread& thread = rt.thread[t.index()];
    return (thread.status == ThreadStatus::kPending && thread.foreseeable) || thread.status == ThreadStatus::kEnded;
  };
  if (reached == Reached::kNextStep && !has_come_somewhere(step.thread)) return false;
  return step.op.kind != OpKind::kSpawn || has_come_somewhere(step.op.peer);
}

// --- following ---

std::size_t KnownSteps::common_prefix(const Schedule& schedule) const {
  const std::size_t most = std::min({schedule.fresh, schedule.steps.size(), decisions_.size()});
  if (memcmp(decisions_.data(), schedule.steps.data(), most * sizeof(trace::Decision)) == 0) return most;
  const auto end = decisions_.begin() + static_cast<std::ptrdiff_t>(most);
  return static_cast<std::size_t>(std::mismatch(decisions_.begin(), end, schedule.steps.begin()).first -
                                  decisions_.begin());
}

bool KnownSteps::follow(const Schedule& schedule, Execution& execution) {
  if (!on_ || !begun_ || &execution != path_of_ || schedule.tail.kind != trace::TailKind::kFirst || rt.detailed ||
      rt.output_shown)
    return false;
  const std::size_t start = common_prefix(schedule);
  if (start == 0 || start < std::min(schedule.fresh, schedule.steps.size()) || execution.steps.size() < start)
    return false;
  const bool measured = ++window_.attempts % kMeasured == 0;
  const std::uint64_t began = measured ? __rdtsc() : 0;
  rewind(start);
  rt.conductor.resume(schedule, execution, {start, threads_}, [&] {
    live_.for_each_thread([&](ThreadId t) { rt.conductor.announce(t, pasts_[past_[t.index()]].next); });
  });
  const bool all = follow_to_the_end(execution);
  if (measured) window_.following += kMeasured * (__rdtsc() - began);
  if (all) ++window_.followed;
  return all;
}

bool KnownSteps::follow_to_the_end(Execution& execution) {
  trace::Conductor& conductor = rt.conductor;
  ThreadSet able = enabled();
  const auto end_with = [&](ThreadSet enabled) {
    conductor.end(enabled, [&](const Step& step) -> std::optional<std::uint64_t> {
      if (!is_simple(step)) return std::nullopt;
      return values_[step.op.object.index()];
    });
  };
  for (ThreadId t; (t = conductor.next_thread(able)) != kNoThread;) {
    const Step& announced = pasts_[past_[t.index()]].next;
    if (announced.op.kind == OpKind::kSpawn || path_.size() >= rt.max_steps || rt.out_of_time) return false;
    const Effect* effect = find(t, key_of(t));
    if (effect == nullptr) return false;
    Step& step = conductor.write_down(announced);
    step.op.kind = effect->kind;
    if (announced.op.object != kNoObject) step.op.before = values_[announced.op.object.index()];
    step.op.after = effect->after;
    conductor.note_performed(step);
    go(t, announced, *effect);
    const OwnPast& past = pasts_[effect->past];
    const bool ended = past.role == Role::kEnded || past.role == Role::kEndedProcess;
    if (ended)
      conductor.retire(t);
    else
      conductor.announce(t, past.next);
    if (past.role == Role::kEndedProcess) {
      end_with(able);
      return true;
    }
    if (ended || is_of_lock(effect->kind))
      able = enabled();
    else if (past.role == Role::kWaiting && is_blocked(past.next))
      able.erase(t);  // the others are as able as before
  }
  if (!conductor.stopped_asleep()) return false;
  end_with(able);
  execution.outcome = trace::Outcome::kAsleep;
  return true;
}

void KnownSteps::compare(const Execution& followed, const Execution& run) {
  const bool same =
      followed.outcome == run.outcome && run.failures.empty() &&
      std::equal(followed.steps.begin(), followed.steps.end(), run.steps.begin(), run.steps.end(), same_step);
  if (!same) refute();
}

}  // namespace heddle::runtime
