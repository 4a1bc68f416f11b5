// Memory that threads share, over all executions: what an algorithm needs that does not run every class.
//
// The race detector sees two accesses race when both are in one execution. An exploration of every class has such an
// execution for every race. One that only covers every local state of every thread has not: it may see each of the two
// accesses in an execution of its own. So while an unfolding is built all accesses are remembered, those of earlier
// executions too, and two that conflict make their bytes visible (race_detector.h) unless starting and joining of
// threads orders them in every execution. That is a question of where in the tree of threads they are made: clocks that
// only spawns and joins advance answer it across executions, because whoever has the later one in its past has the
// spawn or join between them in it as well. Locks do not count: what they order differs from execution to execution.
//
// Why it is enough: take an execution in which bytes race that are not visible, and the first such race. Up to there
// the program behaves as the engine believes, so both threads' local states have been covered and both accesses
// remembered.
//
// The same memory of accesses tells whether a thread that has just joined another looks at anything that others may
// have left (kSawNothing in trace/operation.h).
#pragma once

#include <cstdint>
#include <vector>

#include "native/runtime/runtime.h"

namespace heddle::runtime {

struct SharedAccess {
  std::uint64_t granule = 0;
  std::uint32_t place = 0;  // of the thread in the tree of threads
  std::uint8_t thread = 0;
  std::uint8_t mask = 0;
  bool write = false;
  bool atomic = false;
  bool blind = false;  // a read after a join that was taken for one of the thread's own
};

class Sharing {
 public:
  void watch();  // from now on, in all executions
  bool watched() const { return tables_ != nullptr; }

  void begin();  // a new execution
  void spawned(ThreadId parent, ThreadId child);
  // The join is the last step of the execution.
  void joined(ThreadId joiner, ThreadId ended);
  // An access of the current thread to bytes of one granule.
  void access(std::uintptr_t granule, std::uint8_t mask, bool write, bool atomic);
  // The current thread frees the granule: like a write, but it matters whether somebody else has freed it before.
  void free(std::uintptr_t granule, std::uint8_t mask);

  // For executions in processes of their own: what this process has learnt since `mark`.
  struct Mark {
    std::size_t places = 0, accesses = 0;
  };
  Mark mark() const;
  std::vector<std::vector<std::uint32_t>> places_since(const Mark& mark) const;
  std::vector<SharedAccess> accesses_since(const Mark& mark) const;
  void learn_place(const std::vector<std::uint32_t>& clock);
  void learn(const SharedAccess& access);

 private:
  struct Tables;
  bool just_joined() const;
  bool left_by_others(std::uintptr_t granule, std::uint8_t mask) const;
  void look(std::uintptr_t granule, std::uint8_t mask, bool& blind);
  std::uint32_t place_of(ThreadId t);
  bool ordered(const SharedAccess& a, const SharedAccess& b) const;

  Tables* tables_ = nullptr;
};
extern Sharing sharing;

}  // namespace heddle::runtime
