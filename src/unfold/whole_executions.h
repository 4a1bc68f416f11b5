// Executions that count. An assumption that fails makes a whole execution void (`assume` in docs/model-language.md),
// and with it what other threads did in it, though their local states do not depend on the assumption. So an event that
// has been run only in void executions may still have to be run in one that counts, and which one that is depends on
// all threads at once. It is looked for in the finished unfolding: a maximal configuration with the event in it and
// without a failed assumption, put together from one final condition for each thread:
//
//   the thread has ended, or has failed             nothing is asked of the others
//   it waits for a lock, a join, to be woken        that nobody helps is checked in the marking, once it is complete
//   somebody ends the process                       the others may be anywhere, but behind no assumption that fails
#pragma once

#include <optional>
#include <vector>

#include "unfold/marking.h"
#include "unfold/thread_ends.h"

namespace heddle::unfold {

class WholeExecutions {
 public:
  WholeExecutions(Unfolding& unfolding, Concurrency& concurrency, Judge judge);

  // The past of a whole execution that runs `e` and counts; nothing if there is none.
  std::optional<PastBuffer> with(EventId e);
  // Goes through whole executions that begin with a past, until one is accepted; false: none is.
  using Accept = std::function<bool(const PastBuffer& past, bool deadlocked)>;
  bool extend(const PastBuffer& past, const Accept& accept);

 private:
  bool complete();
  std::size_t next_thread() const;
  void mark_end();
  bool gives_up();
  bool nobody_can_run();
  bool ends_process();
  bool deadlocked() const;

  Unfolding& u_;
  Concurrency& co_;
  Marking marking_;
  Judge judge_;
  Accept accept_;
  ThreadEnds ends_;
  std::vector<EventId> exits_;
  std::vector<ConditionId> chosen_;  // by thread
  std::vector<PastBuffer> pasts_;    // a stack: pasts_.back() is that of chosen_
  std::vector<EventId> order_;
};

}  // namespace heddle::unfold
