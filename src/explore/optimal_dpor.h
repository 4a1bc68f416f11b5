// Optimal-DPOR (Abdulla, Aronis, Jonsson, Sagonas: Source Sets, JACM 2017, Algorithm 2): every class exactly once,
// and no execution is ever started that sleep sets would have to stop.
//
//    1  if enabled(s[E]) = {} then
//    2    for each reversible race (e, e') of E
//    3      let E' = pre(E, e)
//    4      let v = notdep(e, E).e'
//    5      if sleep(E') and WI(v) have nothing in common then
//    6        wut(E') := insert(v, wut(E'))
//    7  else
//    8    if WuT is not empty then
//    9      wut(E) := WuT
//   10    else
//   11      choose p in enabled(s[E])
//   12      wut(E) := the tree of p alone
//   13    sleep(E) := Sleep
//   14    while wut(E) is not empty
//   15      let p = the first branch of wut(E)
//   16      let Sleep' = what is in sleep(E) and independent of p
//   17      let WuT' = subtree(wut(E), p)
//   18      Explore(E.p, Sleep', WuT')
//   19      add p to sleep(E)
//   20      remove p and what is below it from wut(E)
//
//   pre(E, e)     E up to e, without it            notdep(e, E)  steps after e that do not happen after it
//   WI(v)         weak initials: p starts v, or is independent of all of it
//
// A race (e, e') of a complete execution calls for an execution that starts with v from E'. Instead of noting one
// thread to start with (source-DPOR), the whole of v goes into the wakeup tree of that node, unless a sleeping step is
// a weak initial of v: then v's class was explored before.
//
// The recursion is a path here (search_path.h), since a strategy is asked for one execution at a time: next() goes back
// to where line 14 still finds something and down again through lines 15 to 20, learn() enters what the execution did
// beyond (lines 7 to 13, where the program chooses p) and does lines 1 to 6 at its end. Which races and which v need
// not be looked at again is the business of RaceMemory (race_memory.h).
//
// Deviations from the paper, and why they are safe:
// * Steps carry what happened (failed or not, who was signalled). For e', which moves to e's place, that is worked
//   out in advance (trace/reversal.h). So independence is judged on facts, and compare-and-swap, try-lock and
//   signals keep the guarantee.
// * Blocking: an acquire races with the acquire before it, and threads that are left waiting take part in
//   race detection with the operation they wait to do (JACM §10 on locks; Kähkönen 2015 Def. 5).
// * The end of the process races with what others were about to do. An attempt among that (a compare-and-swap, a
//   try-lock) takes part as it would have turned out there, which the front end tells (trace/reversal.h).
// * A wake-up out of a timed wait races with the timeout that it took away, though that is no event
//   (trace/withdrawal.h).
// * Alternatives (signal's target, choose) are branches of the same node: for each alternative c of a new step,
//   notdep(e, E).e_c is inserted, as if e raced with itself turned out otherwise.
// * Branches on inputs may exclude each other although they are independent (concolic.h).
#pragma once

#include "explore/race_memory.h"
#include "explore/search_path.h"
#include "explore/strategy.h"

namespace heddle::explore {

class OptimalDpor final : public Strategy {
 public:
  // `judge` knows which branches on inputs exclude each other; null: the program has no such branches.
  explicit OptimalDpor(trace::Feasibility* judge = nullptr) : races_(path_, judge) {}
  bool next(Schedule& schedule) override;
  void learn(const Execution& execution) override;
  bool save(SavedSearch& saved) const override;  // optimal_dpor_saved.cpp
  bool resume(const SavedSearch& saved) override;

 private:
  void descend(Schedule& schedule);
  void extend(const Execution& execution);

  bool started_ = false;
  std::size_t floor_ = 0;  // nodes before it are somebody else's (saved_search.h)
  SearchPath path_;
  std::vector<Decision> decisions_;   // of the path's steps
  std::vector<WakeupIndex> planned_;  // the trees of the nodes after `fresh`, as lines 9 and 20 leave them
  RaceMemory races_;
};

}  // namespace heddle::explore
