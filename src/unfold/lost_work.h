// Process ends that lose work. When a thread ends the process (kTerminate), what others were about to do is lost, and
// the program may mean to have it done: a finding that depends on two threads at once, so that no local state shows it.
// It is looked for in the finished unfolding: an end of the process and a condition of another thread that is
// about to change what others see, which can be marked together. Each is run before it is reported: only the
// program knows whether somebody else was to wait for the thread.
#pragma once

#include <unordered_set>
#include <vector>

#include "unfold/thread_ends.h"

namespace heddle::unfold {

struct LostWork {
  EventId exit;
  ConditionId worker;
  PastBuffer past;  // of both
};

inline std::uint64_t lost_work_key(EventId exit, ConditionId worker) {
  return std::uint64_t{exit.value} << 32 | worker.value;
}

class LostWorkSearch {
 public:
  LostWorkSearch(const Unfolding& unfolding, Concurrency& concurrency, Judge judge);

  // One after the other but those in `seen`, and none for an exit at a place in `reported`; null when there are no
  // more.
  const LostWork* next(const std::unordered_set<std::uint64_t>& seen,
                       const std::unordered_set<std::uint32_t>& reported);

 private:
  const Unfolding& u_;
  Concurrency& co_;
  Judge judge_;
  std::vector<EventId> exits_;
  std::vector<ConditionId> workers_;
  std::size_t exit_ = 0, worker_ = 0;  // where the search goes on
  LostWork found_;
};

}  // namespace heddle::unfold
