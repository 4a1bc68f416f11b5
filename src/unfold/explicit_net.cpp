#include "unfold/explicit_net.h"

#include <map>
#include <set>
#include <tuple>

#include "unfold/outcomes.h"

namespace heddle::unfold {
namespace {

using net::ConditionKind;
using net::NetCondition;
using net::NetEvent;
using net::PlaceId;

class Builder {
 public:
  Builder(const Unfolding& u, const Describer& describer) : u_(u), describer_(describer) {
    std::map<std::uint32_t, ConditionKind> objects;
    for (std::uint32_t i = 1; i < u_.event_ids(); ++i) {
      const Event& event = u_[EventId(i)];
      if (!event.covered || event.thread == kNoThread || event.source == kNone) continue;
      objects.try_emplace(event.object.value, on_lock(event.kind) ? ConditionKind::kLock : ConditionKind::kVariable);
      if (!event.writes() && u_.orders(event.kind)) read_.insert(event.object.value);
    }
    kinds_ = objects;
  }

  net::OccurrenceNet build() {
    for (std::uint32_t t = 0; t < u_.threads(); ++t)
      if (!u_.spawned.contains(t))
        threads_[{t, 0, 0}] = net_.add_initial({describer_.thread_name(thread(t)), ConditionKind::kThread, t});
    for (std::uint32_t i = 1; i < u_.event_ids(); ++i) {
      const EventId e(i);
      if (!u_[e].covered) continue;
      if (u_[e].thread == kNoThread)
        add_initial(e);
      else
        add(e);
    }
    return std::move(net_);
  }

 private:
  using ThreadPlace = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // thread, last, waker
  using ObjectPlace = std::pair<std::uint32_t, std::uint32_t>;                  // write or read, replica

  static ThreadId thread(std::uint32_t t) { return ThreadId(static_cast<std::uint16_t>(t)); }

  // What nobody merely reads, as a lock, has one condition for all (Kähkönen 2015 section 3.2).
  std::uint32_t replicas(ObjectId object) const {
    return read_.contains(object.value) ? static_cast<std::uint32_t>(u_.threads()) : 1;
  }

  std::string object_label(ObjectId object, std::uint32_t replica) const {
    const std::string name = describer_.object_name(object);
    return replicas(object) == 1 ? name : name + "." + std::to_string(replica);
  }

  void add_initial(EventId e) {
    const ObjectId object = u_[e].object;
    if (!kinds_.contains(object.value)) return;
    const std::uint32_t count = replicas(object);
    for (std::uint32_t r = 0; r < count; ++r)
      objects_[{e.value, r}] = net_.add_initial(
          {object_label(object, r), kinds_[object.value], count == 1 ? static_cast<std::uint32_t>(u_.threads()) : r});
  }

  // The copy of the object that thread `replica` has in the past of e: after its last read, or after the write.
  PlaceId copy(EventId e, std::uint32_t replica) const {
    const EventId source = u_[e].source;
    EventId own = replica == u_[e].thread.index() ? u_[e].previous : EventId(last_in(u_.past(e), replica));
    for (; own > source; own = u_[own].previous)
      if (u_[own].source == source && !u_[own].writes()) return objects_.at({own.value, replica});
    return objects_.at({source.value, replica});
  }

  void add(EventId e) {
    const Event& event = u_[e];
    const Condition& from = u_[event.from];
    const auto t = static_cast<std::uint32_t>(event.thread.index());
    NetEvent drawn;
    drawn.column = t;
    drawn.label = describer_.thread_name(event.thread) + " " + name_of(event.kind);
    if (event.source != kNone) drawn.label += " " + describer_.object_name(event.object);
    if (has_alternatives(event.kind)) drawn.label += " " + std::to_string(event.choice);
    use_thread(from, drawn.preset);
    if (event.joined != kNoCondition) use_thread(u_[event.joined], drawn.context);
    std::vector<NetCondition> left{{"", ConditionKind::kThread, t}};
    std::vector<ObjectPlace> left_objects;
    if (event.source != kNone) use_object(e, drawn, left, left_objects);
    const ThreadSet others = woken(u_, e);
    others.for_each([&](std::size_t w) {
      left.push_back({describer_.thread_name(thread(static_cast<std::uint32_t>(w))), ConditionKind::kThread,
                      static_cast<std::uint32_t>(w)});
    });
    const net::TransitionId added = net_.add_event(std::move(drawn), std::move(left));
    const auto& postset = net_.events()[added.index()].postset;
    std::size_t next = 0;
    threads_[{t, e.value, 0}] = postset[next++];
    for (const ObjectPlace& place : left_objects) objects_[place] = postset[next++];
    others.for_each([&](std::size_t w) { threads_[{static_cast<std::uint32_t>(w), 0, e.value}] = postset[next++]; });
  }

  void use_object(EventId e, NetEvent& drawn, std::vector<NetCondition>& left, std::vector<ObjectPlace>& places) {
    const Event& event = u_[e];
    const auto t = static_cast<std::uint32_t>(event.thread.index());
    const auto leave = [&](std::uint32_t replica) {
      left.push_back({object_label(event.object, replica), kinds_[event.object.value], t});
      places.push_back({e.value, replica});
    };
    const std::uint32_t count = replicas(event.object);
    if (count == 1) {
      (event.writes() ? drawn.preset : drawn.context).push_back(objects_.at({event.source.value, 0}));
      if (event.writes()) leave(0);
      return;
    }
    for (std::uint32_t r = 0; r < count; ++r) {
      if (!event.writes() && r != t) continue;
      drawn.preset.push_back(copy(e, r));
      leave(r);
    }
  }

  // A thread that was woken has two conditions: the one it waited in, and the one its waker made.
  void use_thread(const Condition& condition, std::vector<PlaceId>& places) const {
    const auto t = static_cast<std::uint32_t>(condition.thread.index());
    if (condition.waker != kNone) places.push_back(threads_.at({t, 0, condition.waker.value}));
    if (condition.waker == kNone || condition.last != kNone)
      places.push_back(threads_.at({t, condition.last.value, 0}));
  }

  const Unfolding& u_;
  const Describer& describer_;
  net::OccurrenceNet net_;
  std::map<std::uint32_t, ConditionKind> kinds_;
  std::set<std::uint32_t> read_;  // objects that somebody only reads, before the next write
  std::map<ThreadPlace, PlaceId> threads_;
  std::map<ObjectPlace, PlaceId> objects_;
};

}  // namespace

net::OccurrenceNet explicit_net(const Unfolding& unfolding, const Describer& describer) {
  return Builder(unfolding, describer).build();
}

}  // namespace heddle::unfold
