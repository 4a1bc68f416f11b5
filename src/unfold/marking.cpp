#include "unfold/marking.h"

#include "unfold/outcomes.h"

namespace heddle::unfold {

void Marking::reset() {
  threads_.clear();
  ++epoch_;
}

Marking::ThreadPlace& Marking::place(ThreadId t) {
  if (t.index() >= threads_.size()) threads_.resize(t.index() + 1);
  return threads_[t.index()];
}

void Marking::start(ThreadId t) { place(t).started = true; }

ConditionId Marking::condition(ThreadId t, OpKind next) {
  const ThreadPlace& p = place(t);
  return u_.condition(t, p.last, next == OpKind::kWaitRelease ? kNone : p.waker);
}

ConditionId Marking::condition(ThreadId t) {
  const ThreadPlace& p = place(t);
  const bool before_release = p.last != kNone && u_[p.last].kind == OpKind::kWait;
  return u_.condition(t, p.last, before_release ? kNone : p.waker);
}

ConditionId Marking::find_condition(ThreadId t) const {
  const ThreadPlace& p = threads_[t.index()];
  const bool before_release = p.last != kNone && u_[p.last].kind == OpKind::kWait;
  return u_.find_condition(t, p.last, before_release ? kNone : p.waker);
}

EventId Marking::source(ObjectId object) {
  if (object.index() >= objects_.size()) objects_.resize(object.index() + 1);
  ObjectPlace& o = objects_[object.index()];
  if (o.epoch != epoch_) o = {u_.initial(object), 0, epoch_};
  return o.source;
}

std::uint64_t Marking::key(ConditionId c, OpKind kind, ObjectId object, std::uint16_t choice) {
  if (object == kNoObject) return u_.key(c, 0, choice);
  const EventId w = source(object);
  const bool counts = access_of(kind) == Access::kWrites && u_.orders(kind);
  return u_.key(c, u_.object_part(w, counts ? reads(object) : 0), choice);
}

void Marking::fire(EventId e) {
  const Event& event = u_[e];
  ThreadPlace& p = place(event.thread);
  p.last = e;
  if (event.kind != OpKind::kWaitRelease) p.waker = kNone;
  if (event.source != kNone) {
    source(event.object);
    ObjectPlace& o = objects_[event.object.index()];
    if (event.writes())
      o = {e, 0, epoch_};
    else
      o.reads += mix(event.hash);
  }
  woken(u_, e).for_each_thread([&](ThreadId t) {
    place(t).waker = e;
    place(t).started = true;
  });
}

}  // namespace heddle::unfold
