// The state in which the program is about to create its first thread, so that what it did before is not done again.
//
// Long common prefixes are almost always the work of one thread: reading input, building the data that threads then
// share. While there is one thread, nothing of the past matters to race detection - it happens before whatever any
// thread does later - so the state is small and plain: the hot pages, the main thread's stack and part of the heap,
// its bookkeeping, and the steps taken so far. Thread-local storage is among the hot pages (fiber.h).
//
// The checkpoint is taken on the explorer's stack: the main thread switches there when it is about to create
// its first thread, and goes on, now or in a later execution, where it was switched away.
//
// It pays when running the prefix takes longer than copying the state, which is measured; and it serves only
// schedules that begin with exactly the decisions it was reached by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "native/runtime/runtime.h"
#include "trace/schedule.h"

namespace heddle::native {

class Checkpoint {
 public:
  void switch_off() { off_ = true; }
  // More of the runtime's own memory that belongs to the running execution.
  void include(void* p, std::size_t size) { included_[included_count_++] = {p, size}; }
  void forget() { taken_ = false; }   // what is visible has changed

  // An execution begins at the beginning.
  void begin_prefix();
  // The main thread, alone, is about to create a thread: would it pay to begin here next time?
  bool wanted() const;
  void take();

  bool serves(const trace::Schedule& schedule) const;
  // Puts everything back but the execution, whose first steps() steps must be the prefix's.
  void restore();
  std::size_t steps() const { return prefix_.size(); }
  const std::vector<Step>& prefix() const { return prefix_; }

 private:
  bool off_ = false;
  bool taken_ = false;
  std::uint64_t began_ = 0;                // cycles
  std::vector<Step> prefix_;
  std::vector<trace::Decision> decisions_;
  Thread main_;
  std::vector<char> stack_;
  struct Included {
    void* place = nullptr;
    std::size_t size = 0;
    std::vector<char> copy;
  };
  Included included_[8];
  std::size_t included_count_ = 0;
};
extern Checkpoint checkpoint;

}  // namespace heddle::native
