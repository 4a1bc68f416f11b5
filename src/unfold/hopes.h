// Which threads can be stuck in a deadlock at all. Who waits for a lock is stuck for ever only if whoever holds it is
// stuck too, or has ended; who joins, only if the other is stuck; who waits for its turn at a barrier, only if the
// thread before it is kept elsewhere, and who has come there, only if the next one is. Taking away, again and again,
// those for which nobody of that kind is left costs little and leaves nothing in most programs without deadlocks.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "unfold/concurrency.h"
#include "unfold/thread_ends.h"
#include "unfold/unfolding.h"

namespace heddle::unfold {

class Hopes {
 public:
  // Takes the hopeless out of `ends.stuck`. `concurrency`: to leave out who cannot be there at the same time, if at
  // hand.
  Hopes(const Unfolding& unfolding, Concurrency* concurrency, ThreadEnds& ends);

  bool alive(ConditionId c) const { return alive_[c.index()]; }
  bool waits_for_holder(ConditionId c) const;
  const std::vector<EventId>& blockers(ConditionId c) const;       // acquires it may wait for
  const std::vector<ConditionId>& holders(EventId acquire) const;  // where its lock is kept for ever

 private:
  void index_holders(const ThreadEnds& ends);
  void index_blockers();
  void index_turns(const ThreadEnds& ends);
  void index_keepers(ConditionId c, const ThreadEnds& ends);
  void drop_hopeless(ThreadEnds& ends);
  bool hopeful(ConditionId c, const ThreadEnds& ends) const;

  const Unfolding& u_;
  Concurrency* const co_;
  std::unordered_map<std::uint32_t, std::vector<ConditionId>> holders_;
  std::unordered_map<std::uint32_t, std::vector<EventId>> blockers_;
  // Locks that something else than an exclusive acquire leaves held: readers, a lock before the first thread, a failed
  // attempt to destroy it. (Other objects too; nobody waits for their holder.)
  std::unordered_set<std::uint32_t> no_one_holder_;
  std::unordered_map<std::uint64_t, ThreadId> turns_;                    // object and turn -> whose; kNoThread: several
  std::unordered_map<std::uint32_t, std::vector<ConditionId>> keepers_;  // at a barrier -> who may keep it waiting
  std::vector<bool> alive_;                                              // by condition
};

}  // namespace heddle::unfold
