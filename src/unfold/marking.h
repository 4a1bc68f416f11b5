// Where an execution is in the unfolding: the condition of every thread and of every object.
#pragma once

#include <vector>

#include "unfold/unfolding.h"

namespace heddle::unfold {

class Marking {
 public:
  explicit Marking(Unfolding& unfolding) : u_(unfolding) {}

  void reset();
  // The thread's condition, entered if new. A waiter that was woken before it released its mutex does that first, and
  // as if nobody had woken it (trace/operation.h).
  ConditionId condition(ThreadId t, OpKind next);
  ConditionId condition(ThreadId t);             // whatever comes next
  ConditionId find_condition(ThreadId t) const;  // kNoCondition if no execution has been there
  bool started(ThreadId t) const { return t.index() < threads_.size() && threads_[t.index()].started; }
  std::size_t threads() const { return threads_.size(); }

  EventId source(ObjectId object);
  // The sum over the reads of the object's condition so far, for the hash of place-replicated writes.
  std::uint64_t reads(ObjectId object) const { return objects_[object.index()].reads; }
  // The hash of the event that goes on from `c` as an operation of this kind.
  std::uint64_t key(ConditionId c, OpKind kind, ObjectId object, std::uint16_t choice);

  // A thread that exists from the start.
  void start(ThreadId t);
  void fire(EventId e);

 private:
  struct ThreadPlace {
    EventId last;
    EventId waker;
    bool started = false;
  };
  struct ObjectPlace {
    EventId source;
    std::uint64_t reads = 0;
    std::uint32_t epoch = 0;
  };

  ThreadPlace& place(ThreadId t);

  Unfolding& u_;
  std::vector<ThreadPlace> threads_;
  std::vector<ObjectPlace> objects_;
  std::uint32_t epoch_ = 0;
};

}  // namespace heddle::unfold
