// Which pasts fit together, and in which order their events can run.
//
// Kähkönen 2015 walks both pasts for each co-check (sections 4.7 and 5.6). Here a past is one number per thread, so
// what two pasts have in common is skipped: only events of one side are looked at, and a conflict shows either in a
// thread (both sides branch off from one event) or between an event of one side and one of the other that use the same
// condition of an object. (If the other event were in the common part, the conflict would be inside one past.)
//
// With read arcs there is more to ask: every read must come before the write that consumes what it read, and these
// demands may form a cycle that goes through the common part. If neither side has reads of its own there is no such
// demand beyond those each past already satisfies; else the events of both are put in order as in Kähkönen 2015
// Fig. 5.7, keeping one position per thread instead of scanning a list, which takes time linear in their number.
#pragma once

#include <vector>

#include "unfold/unfolding.h"

namespace heddle::unfold {

class Concurrency {
 public:
  explicit Concurrency(const Unfolding& unfolding) : u_(unfolding) {}

  // Can one execution run the events of both?
  bool compatible(Past a, Past b);

  // Many against one: the events of one past are marked once, and most of what does not fit it is then turned away
  // by a single look. `fix` holds until the next one; whatever else is asked in between does not disturb it.
  void fix(Past past);
  // Is `past` compatible with the fixed one?
  bool fits(Past past);
  // Is there a marking that holds the thread condition `c`, whose past is fixed, and the object condition left by `w`?
  bool fits_object(ConditionId c, EventId w);
  // The same the other way round, for an event `e` that nothing known comes after: its past is fixed.
  bool fits_condition(EventId e, ConditionId c, Past past);
  // Can the thread condition `d` be marked together with the chosen ones (by thread), whose common past is fixed?
  bool fits_marking(const std::vector<ConditionId>& chosen, ConditionId d, Past past);
  // The same for two thread conditions of different threads.
  bool concurrent(ConditionId c, Past past_c, ConditionId d, Past past_d);

  // An order in which the events of a past can run; false if there is none.
  bool linearize(Past past, std::vector<EventId>& order);

  std::uint64_t checks() const { return checks_; }
  std::size_t bytes() const { return marks_.size() * sizeof(Mark) + fixed_.size() * 4; }

 private:
  struct Mark {
    std::uint32_t stamp = 0;
    std::uint32_t consumer = 0;         // the event that consumes this one's condition
    std::uint32_t reads_left : 31 = 0;  // reads of it that have not run
    std::uint32_t ran : 1 = 0;
  };

  Mark& mark(EventId e);
  bool fixed(std::uint32_t e) const { return e == 0 || (e < fixed_.size() && fixed_[e] == fixed_stamp_); }
  void begin_check();
  bool separate(Past a, Past b);
  bool separate_fixed(Past b);
  bool compatible_apart(Past a, Past b);
  bool clash();
  bool in_order(Past past, std::vector<EventId>* order);
  bool collect(Past past);
  bool can_run(const Event& event);
  bool ran(EventId e) { return e == kNone || u_[e].thread == kNoThread || mark(e).ran; }

  const Unfolding& u_;
  std::vector<Mark> marks_;
  std::uint32_t stamp_ = 0;
  std::uint64_t checks_ = 0;
  std::vector<std::uint32_t> fixed_;  // by event: stamp of the fixed past that contains it
  std::uint32_t fixed_stamp_ = 0;
  PastBuffer fixed_past_;
  std::vector<EventId> only_a_, only_b_;
  bool reads_apart_ = false;  // one of them has a read
  PastBuffer union_;
  std::vector<EventId> chain_;               // events of all threads, each thread's in reverse order
  std::vector<std::uint32_t> begin_, left_;  // by thread: its part of chain_
};

}  // namespace heddle::unfold
