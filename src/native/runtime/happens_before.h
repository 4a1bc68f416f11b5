// Happens-before as C and C++ define it (spawn, join, locks, release and acquire), with vector clocks, for finding
// data races among the accesses that are not visible operations. This is weaker than the order of the
// execution itself, which the engine's own clocks describe: a relaxed atomic orders nothing here.
//
// A thread's own component is its epoch; it grows when the thread releases, so that what it does later is not
// taken for released.
#pragma once

#include <cstdint>
#include <vector>

#include "native/runtime/parts.h"
#include "native/runtime/runtime.h"
#include "native/runtime/shadow.h"

namespace heddle::runtime {

class Clocks {
 public:
  void begin();  // a new execution with one thread

  std::uint32_t epoch(ThreadId t) const { return clock_[t.index()][t.index()]; }
  // Does what thread `a` did at `epoch` happen before what thread `b` does now?
  bool ordered(std::size_t a, std::uint32_t epoch, ThreadId b) const { return clock_[b.index()][a] >= epoch; }

  // The last epoch of thread `a` that happens before what thread `b` does now.
  std::uint32_t seen(ThreadId b, std::size_t a) const { return clock_[b.index()][a]; }

  void spawned(ThreadId parent, ThreadId child, bool again);  // a child whose id was another one's before
  void joined(ThreadId joiner, ThreadId ended);
  void thread_ended(ThreadId) {}

  // Locks, semaphores, condition variables, barriers.
  void acquire(ObjectId object);
  void release(ObjectId object);

  // Atomics, by memory order (the values of __ATOMIC_*), C++20 [atomics.order].
  void load(ObjectId object, int order);
  void store(ObjectId object, int order);
  void update(ObjectId object, int order);
  void fence(int order);

  // What who acquires the object gets; empty: nothing.
  void take(ObjectId object, std::vector<std::uint32_t>& clock) const;
  void put(ObjectId object, const std::vector<std::uint32_t>& clock);

  // The state of a running execution, and back to it.
  void keep(std::size_t checkpoint);
  void go_back(std::size_t checkpoint);

 private:
  struct Copy {
    std::vector<std::uint32_t> threads;  // rows of clocks, and of those of fences if there are any
    std::vector<ObjectId> objects;       // that have a clock
    std::vector<std::uint32_t> clocks;   // of the objects
    std::size_t width = 0;
    bool fences_used = false;
  };

  std::uint32_t* clock_of(ObjectId object);  // of this execution, zero when new
  bool has_clock(ObjectId object) const;
  void join(std::uint32_t* into, const std::uint32_t* from);
  std::size_t width() const;
  void begin_row(std::size_t t, bool fences);

  std::uint32_t clock_[kMaxThreads][kMaxThreads] = {};
  // A fence makes earlier relaxed loads acquire and later relaxed stores release.
  std::uint32_t acquire_fence_[kMaxThreads][kMaxThreads] = {};
  std::uint32_t release_fence_[kMaxThreads][kMaxThreads] = {};
  bool fences_used_ = false;
  std::vector<ObjectId> with_clock_;  // objects that have one in this execution
  Copy kept_[kMostCheckpoints];
};
extern Clocks clocks;

}  // namespace heddle::runtime
