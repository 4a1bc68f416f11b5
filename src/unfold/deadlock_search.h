// Deadlocks in a finished unfolding (Kähkönen 2015 section 6.3). Local states do not show them: executions that cover
// the unfolding need not end in any, so they are looked for in it.
//
// A deadlock is a reachable marking in which every thread either has ended or is blocked, and some thread is. The
// search picks the blocked conditions one after the other, always one that an already chosen one waits for if there
// is such a demand:
//
//   a lock      its holder must be blocked while holding it (circular wait), or have ended with it (never released)
//   a join      the other thread must be blocked
//   a barrier   that threads pass in turn: whose turn is just before, or next if it has come itself, must be kept
//   elsewhere
//               or have ended; that is only looked at beforehand (hopes.h)
//   the rest    (condition variables, semaphores, other barriers, locks that may be held shared, waiting loops) makes
//   no
//               demand on a certain thread; that nobody helps is checked in the marking itself, once it is complete
//
// Before that, conditions whose demand nobody can meet are thrown out until nothing changes: in programs without
// nested locks nothing is left to search. The pairs kept for possible extensions say who may wait for whom, as in
// Fig. 6.5. Deadlocks are told apart by their blocked conditions; threads that are not blocked must be able to
// end along with them, in whichever way.
//
// Every deadlock found is run before it is reported (unfolding_strategy.h).
#pragma once

#include <functional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "unfold/branch_index.h"
#include "unfold/concurrency.h"
#include "unfold/hopes.h"
#include "unfold/marking.h"
#include "unfold/thread_ends.h"
#include "unfold/unfolding.h"

namespace heddle::unfold {

struct Deadlock {
  std::uint64_t signature = 0;  // of the blocked conditions
  PastBuffer past;              // of all threads' final conditions
};

// Order does not matter.
std::uint64_t deadlock_signature(std::span<const ConditionId> blocked);

class DeadlockSearch {
 public:
  // Looks for all deadlocks but those in `seen`.
  DeadlockSearch(Unfolding& unfolding, Concurrency& concurrency, const std::unordered_set<std::uint64_t>& seen,
                 Judge judge, std::function<bool()> goes_on = {});

  // Was it asked to stop before it had been through everything?
  bool given_up() const { return given_up_; }

  // One after the other; null when there are no more.
  const Deadlock* next() { return given_ < found_.size() ? &found_[given_++] : nullptr; }

 private:
  enum class Fate : std::uint8_t { kOpen, kBlocked, kEnds };

  void search(std::size_t resolved);
  void resolve(ConditionId c, std::size_t resolved);
  void open_next(std::size_t resolved);
  std::vector<ConditionId> beside_chosen(const std::vector<ConditionId>& list, std::size_t thread);
  void choose(ConditionId d, std::size_t resolved);
  void finish();
  bool complete(std::size_t thread);
  bool deadlocked();
  bool turns_come_last() const;

  Unfolding& u_;
  Concurrency& co_;
  Marking marking_;
  Judge judge_;
  std::function<bool()> goes_on_;  // asked now and then; may be empty
  std::uint64_t looks_ = 0;
  bool given_up_ = false;
  std::unordered_set<std::uint64_t> known_;

  ThreadEnds ends_;
  Hopes hopes_;

  // The marking under construction.
  std::vector<Fate> fate_;
  std::vector<ConditionId> chosen_;   // by thread
  std::vector<ConditionId> blocked_;  // those of chosen_ that are blocked, in order of choice
  std::vector<PastBuffer> pasts_;     // a stack: pasts_.back() is that of chosen_

  BranchIndex index_;  // of what ends_ has
  std::vector<EventId> order_;
  std::vector<Deadlock> found_;
  std::size_t given_ = 0;
};

}  // namespace heddle::unfold
