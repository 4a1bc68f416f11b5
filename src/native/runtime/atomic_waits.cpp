#include "native/runtime/atomic_waits.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "graph/step_graph.h"
#include "native/runtime/happens_before.h"
#include "native/runtime/object_state.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"
#include "native/runtime/unmodelled.h"

namespace heddle::runtime {
namespace {

// What one execution has seen.
struct Wait {
  std::uintptr_t address;
  ThreadId thread;
  std::optional<std::uint64_t> old;  // what is there while it is in vain, if it is known
  EventIndex begin;                  // the steps before the call
  EventIndex end = kNoEvent;         // the steps before it returned
};
struct Notification {
  std::uintptr_t address;
  bool all;
  const void* pc;
  ThreadId thread;
  EventIndex position;                // the steps before the call
  std::vector<std::uint32_t> before;  // epochs of other threads that happen before the call
};
struct Seen {
  std::uint32_t generation = 0;
  std::vector<Wait> waits;
  std::vector<Notification> notifications;
};

Seen& seen() {
  static auto& all = *new Seen;
  if (all.generation != rt.generation) {
    all.generation = rt.generation;
    all.waits.clear();
    all.notifications.clear();
  }
  return all;
}

const Wait* wait_of(ThreadId thread) {
  for (const Wait& wait : seen().waits)
    if (wait.thread == thread && wait.end == kNoEvent) return &wait;
  return nullptr;
}

bool happens_before(EventIndex store, const Notification& notification) {
  const std::size_t writer = rt.execution->steps[store].thread.index();
  if (writer == notification.thread.index()) return store < notification.position;
  return writer < notification.before.size() && notification.before[writer] >= weak_memory.epoch_at(store);
}

void notify(std::uintptr_t address, bool all, const void* pc) {
  Notification notification{address, all, pc, rt.current, rt.conductor.position(), {}};
  notification.before.resize(rt.threads);
  for (std::size_t t = 0; t < rt.threads; ++t) notification.before[t] = clocks.seen(rt.current, t);
  seen().notifications.push_back(std::move(notification));
}

int begin_wait(const volatile void* address, std::optional<std::uint64_t> old) {
  if (!rt.weak || !controlled()) return 0;
  EngineScope scope;
  seen().waits.push_back({reinterpret_cast<std::uintptr_t>(address), rt.current, old, rt.conductor.position()});
  return 1;
}

// Calls that wake one thread each, and who may have been woken by them instead of a thread that sleeps on.
class Takers {
 public:
  Takers(const Wait& sleeper, ObjectId object) : graph_(graph::graph_of(*rt.execution)), object_(object) {
    for (const Wait& wait : seen().waits)
      if (wait.address == sleeper.address && &wait != &sleeper) add(wait);
  }
  // Of a call that is sure to wake somebody who has not seen the store at this place of the object's order.
  void add(const Notification& call, std::size_t newest_before) { calls_.push_back({&call, newest_before}); }
  std::size_t place_of(EventIndex store) const { return graph_.place_of(store); }

  bool can_take_all() {
    std::stable_sort(calls_.begin(), calls_.end(), [](const Call& a, const Call& b) { return a.newest < b.newest; });
    return can_take_from(0);
  }
  bool gave_up() const { return tries_ > kMostTries; }

 private:
  static constexpr std::size_t kMostTries = 100'000;
  struct Taker {
    const Wait* wait;
    EventIndex look;     // what it did in the end
    std::size_t next;    // the oldest place of the object's order at which it can look next
    std::size_t behind;  // where it looked in the end
  };
  struct Call {
    const Notification* notification;
    std::size_t newest;  // place of the newest store that happens before it
  };

  void add(const Wait& wait) {
    const auto& steps = rt.execution->steps;
    const EventIndex end = std::min<EventIndex>(wait.end, static_cast<EventIndex>(steps.size()));
    EventIndex look = kNoEvent;
    for (EventIndex i = wait.begin; i < end; ++i)
      if (steps[i].thread == wait.thread && steps[i].op.object == object_) look = i;
    if (look == kNoEvent) return;
    Taker taker{&wait, look, 0, graph_[look].source == graph::kInitial ? 0 : place_of(graph_[look].source)};
    for (EventIndex e = 0; e < steps.size(); ++e) {
      if (graph_[e].slot != graph_[look].slot || e == look || !happens_before_call(e, look)) continue;
      const EventIndex found = graph_[e].writes ? e : graph_[e].source;
      if (found != graph::kInitial) taker.next = std::max(taker.next, place_of(found));
    }
    takers_.push_back(taker);
  }

  // Before the thread began to wait: what the look itself acquires does not count.
  bool happens_before_call(EventIndex e, EventIndex look) {
    graph_.edges_into(look, before_);
    if (graph_[look].index > 0) before_.push_back(graph_.thread(graph_[look].thread.index())[graph_[look].index - 1]);
    return std::any_of(before_.begin(), before_.end(), [&](EventIndex b) { return graph_.happens_before(e, b); });
  }

  bool can_take_from(std::size_t first) {
    if (first == calls_.size()) return true;
    for (Taker& taker : takers_) {
      if (++tries_ > kMostTries) return true;
      const Taker before = taker;
      if (takes(taker, calls_[first]) && can_take_from(first + 1)) return true;
      taker = before;
    }
    return false;
  }

  // Looks in vain as early as it can, is woken by the call, and finds what happened before that.
  bool takes(Taker& taker, const Call& call) {
    if (taker.behind < call.newest || !may_be_asleep(taker, *call.notification)) return false;
    const auto mo = graph_.mo(graph_[taker.look].slot);
    for (std::size_t place = taker.next; place < call.newest; ++place) {
      const EventIndex store = place == 0 ? graph::kInitial : mo[place - 1];
      const std::uint64_t value = graph_.value_of(store, graph_[taker.look].slot);
      const bool in_vain = !taker.wait->old || *taker.wait->old == value;
      if (!in_vain || (store != graph::kInitial && graph_.in_prefix(taker.look, store))) continue;
      taker.next = call.newest;
      return true;
    }
    return false;
  }

  // Neither is the call made only after the thread went on, nor was it over when the thread began to wait.
  bool may_be_asleep(const Taker& taker, const Notification& call) const {
    if (call.thread == taker.wait->thread) return false;
    const EventIndex begin = taker.wait->begin;
    const auto own = graph_.thread(taker.wait->thread.index());
    const auto other = graph_.thread(call.thread.index());
    for (const EventIndex e : other) {
      if (e < call.position && graph_.in_prefix(taker.look, e)) return false;
      if (e < call.position) continue;
      return std::none_of(own.begin(), own.end(), [&](EventIndex x) { return x < begin && graph_.in_prefix(e, x); });
    }
    return true;
  }

  graph::ExecutionGraph graph_;
  const ObjectId object_;
  std::vector<Taker> takers_;
  std::vector<Call> calls_;
  std::vector<EventIndex> before_;
  std::size_t tries_ = 0;
};

}  // namespace

bool waits_for_notification(ThreadId thread) { return wait_of(thread) != nullptr; }

bool stays_asleep(ThreadId thread, ObjectId object, const std::vector<EventIndex>& newer) {
  const Wait* const wait = wait_of(thread);
  if (wait == nullptr || objects[object].address != wait->address) return false;
  std::vector<const Notification*> sure;
  for (const Notification& notification : seen().notifications) {
    const auto wakes = [&](EventIndex store) { return happens_before(store, notification); };
    if (notification.address != wait->address || std::none_of(newer.begin(), newer.end(), wakes)) continue;
    if (notification.all) return false;
    sure.push_back(&notification);
  }
  if (sure.empty()) return true;
  Takers takers(*wait, object);
  for (const Notification* call : sure) {
    std::size_t newest = 0;
    for (const EventIndex store : newer)
      if (happens_before(store, *call)) newest = std::max(newest, takers.place_of(store));
    takers.add(*call, newest);
  }
  const bool taken = takers.can_take_all();
  if (takers.gave_up())
    note_unmodelled(sure.front()->pc, "which of many threads notify_one wakes under a memory model");
  return taken;
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

extern "C" {
int heddle_wait_begins(const volatile void* address) noexcept { return begin_wait(address, std::nullopt); }

int heddle_wait_begins_while(const volatile void* address, const void* old, unsigned long size) noexcept {
  return begin_wait(address, value_at(reinterpret_cast<std::uintptr_t>(old), size));
}

void heddle_wait_ends() noexcept {
  EngineScope scope;
  for (Wait& wait : seen().waits)
    if (wait.thread == rt.current && wait.end == heddle::kNoEvent) wait.end = rt.conductor.position();
}

int heddle_notifies(const volatile void* address, int all) noexcept {
  if (!rt.weak || !controlled()) return 0;
  EngineScope scope;
  notify(reinterpret_cast<std::uintptr_t>(address), all != 0, __builtin_return_address(0));
  return 1;
}
}
