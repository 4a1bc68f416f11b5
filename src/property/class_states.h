// The states of an execution's class. Executions of one class differ in the order of independent steps, so they pass
// different global states; but all of these are *cuts* of the one order that they share: sets of steps that contain
// whatever happens before one of theirs (Mattern 1989; to look for a condition among the cuts is Cooper and Marzullo's
// "possibly", 1991). And every reachable state of a program is the end of a prefix of some execution, hence a cut of
// that execution's class. An algorithm that runs every class once therefore shows every reachable global state, if the
// cuts of each execution are looked at: no execution more, and no dependence more, than without a property (docs/adr).
//
// A condition sees little of a cut: only the steps that change its atoms. So what is gone through are the ideals of the
// order of those steps alone, each standing for the least cut that contains it. Each ideal is met once: by its latest
// step, and then step by step, in or out. An execution that begins as the one before has only those ideals to show that
// contain a new step.
//
// A deadlock is in the last state only, in which every step has been done.
#pragma once

#include <functional>
#include <vector>

#include "property/changes.h"
#include "trace/happens_before.h"

namespace heddle::property {

class ClassStates {
 public:
  // Where an atom depends on inputs: are there any that lead to the state and satisfy the condition in it? `cut` are
  // the steps that have been done.
  using Judge = std::function<bool(symbolic::TermId condition, const std::vector<AtomValue>& values,
                                   const std::vector<EventIndex>& cut)>;

  ClassStates(Property& property, Changes::Locator locator, Judge judge);

  // The steps that have been done in a state that is looked for; false: the class has none that was not looked at with
  // the execution before. That one began with the same `common` steps.
  bool find(const trace::Execution& execution, EventIndex common, std::vector<EventIndex>& cut);

  // An execution had more states than could be gone through.
  bool gave_up() const { return gave_up_; }
  bool unseen() const { return changes_.unseen(); }

 private:
  struct Relevant {
    EventIndex step;
    std::vector<Change> changes;
    std::vector<std::uint32_t> before;  // positions of those that happen before it
  };

  bool search(symbolic::TermId condition, EventIndex common);
  void collect(symbolic::TermId condition);
  void order_relevant();
  bool with_latest(std::uint32_t latest);
  bool extend(std::uint32_t next, std::uint32_t end);
  bool holds();
  void least_cut(std::vector<EventIndex>& cut) const;

  Property& property_;
  std::vector<symbolic::TermId> alternatives_;
  Changes changes_;
  Judge judge_;
  const trace::Execution* execution_ = nullptr;
  trace::HappensBefore before_;
  symbolic::TermId condition_;
  std::vector<std::uint32_t> atoms_;  // that the condition speaks of
  std::size_t deadlock_ = 0;          // the atom, if there is one
  bool speaks_of_deadlock_ = false;
  std::vector<Relevant> relevant_;
  std::vector<bool> in_;           // the ideal, by position
  std::vector<AtomValue> values_;  // of all atoms in it
  symbolic::Assignment numbers_;
  std::uint64_t looked_at_ = 0;  // states of this execution
  bool gave_up_ = false;
};

}  // namespace heddle::property
