// Executions that count. An assumption that fails makes a whole execution void (`assume` in docs/model-language.md),
// and with it what other threads did in it, though their local states do not depend on the assumption. So an event that
// has been run only in void executions may still have to be run in one that counts, and which one that is depends on
// all threads at once. It is looked for in the finished unfolding: a maximal configuration with the event in it and
// without a failed assumption, put together from one final condition for each thread:
//
//   the thread has ended, or has failed             nothing is asked of the others
//   it waits for a lock, a join, to be woken        that nobody helps is checked in the marking, once it is complete
//   somebody ends the process                       the others may be anywhere, but behind no assumption that fails
//
// The thread with the fewest final conditions that fit what is chosen comes next: most events for which there is no
// such execution lack a final condition of one thread, and with any other order that is found out again for every
// choice of the threads before it. The search is exponential all the same, so it asks now and then whether to go on;
// what it was given up on is open, which is not "no such execution".
#pragma once

#include <optional>
#include <vector>

#include "unfold/marking.h"
#include "unfold/thread_ends.h"

namespace heddle::unfold {

class WholeExecutions {
 public:
  // `goes_on` is asked now and then; it may be empty.
  WholeExecutions(Unfolding& unfolding, Concurrency& concurrency, Judge judge, std::function<bool()> goes_on);

  // The past of a whole execution that runs `e` and counts; nothing if there is none, or if the search was given up.
  std::optional<PastBuffer> with(EventId e);
  // Goes through whole executions that begin with a past, until one is accepted; false: none is.
  using Accept = std::function<bool(const PastBuffer& past, bool deadlocked)>;
  bool extend(const PastBuffer& past, const Accept& accept);
  bool given_up() const { return given_up_; }

 private:
  using Fits = std::vector<std::vector<ConditionId>>;  // by thread: the final conditions that fit what is chosen

  bool complete(const Fits& before);
  std::size_t next_thread(Fits& fits);
  bool goes_on();
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
  std::function<bool()> goes_on_;
  std::uint64_t looks_ = 0;
  bool given_up_ = false;
  ThreadEnds ends_;
  Fits final_;  // all of them
  std::vector<EventId> exits_;
  std::vector<ConditionId> chosen_;  // by thread
  std::vector<PastBuffer> pasts_;    // a stack: pasts_.back() is that of chosen_
  std::vector<EventId> order_;
};

}  // namespace heddle::unfold
