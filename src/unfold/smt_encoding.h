// Global states by a constraint solver: the reachable markings of a finished unfolding as one formula (Kähkönen 2015
// section 6.2). A variable of one bit stands for each event; the formulas have the names that they have there:
//
//   (B1)  an event comes with its past           (C1) is the same for reads: what they read has been written
//   (B2)  a branch holds
//   (B3)  of the events that take one condition at most one is there; by a ladder, so that there are linearly many
//   clauses (B4)  a condition is marked if what made it is there and nothing that takes it (C2)  what comes before an
//   event has a smaller number (contextual: the order of reads and writes is open) (C3)  a read of a value that is
//   replaced has a smaller number than what replaces it (S1)  in a marked condition of an atom's place the atom has the
//   condition's value, a number or a term over inputs (D1)  an event whose conditions are marked is enabled    (D2)
//   threads that have ended    (D3) threads that wait (D4)  a deadlock: nothing is enabled, somebody waits, and
//   everybody else waits or has ended
//
// Deviations. A place is an object, and not its copies per thread: that a write of the place-replicated kind comes
// after just these reads is put by (B3) among what takes the copy of one thread, identified by the thread's last read.
// (C3) is not written for each pair of a read and a write: one more number per condition stands between its reads and
// whatever replaces it. (S1) covers locks and places of threads too: they are atoms with changes like variables
// (property/changes.h). Events that no execution has run are no part of a finished unfolding.
//
// What keeps the formula small. Only events that lead to what the property speaks of are in it (Cone): what else
// happens makes no difference to the atoms. A deadlock is made of threads that can be stuck in one at all (hopes.h),
// and in (D1) only they can be enabled. Numbers (C2, C3) are given to events that reads and writes might put into a
// circle, and to no others.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "property/property.h"
#include "symbolic/input_space.h"
#include "symbolic/solver.h"
#include "unfold/unfolding.h"

namespace heddle::unfold {

// The conditions of an atom's place.
struct AtomHistory {
  property::AtomValue initial;
  std::vector<std::pair<EventId, property::AtomValue>> changes;
};

// A set of events that contains the pasts of all that is in it; by event.
class Cone {
 public:
  explicit Cone(const Unfolding& unfolding) : u_(unfolding), in_(unfolding.event_ids(), false) {}
  void add(EventId e);
  void add(ConditionId c);
  bool contains(EventId e) const { return in_[e.index()]; }

 private:
  const Unfolding& u_;
  std::vector<bool> in_;
};

class SmtEncoding {
 public:
  // `space`: of a program with inputs, or null. The formula is about the events of the cone; those that a deadlock is
  // made of are added.
  using MakeSolver = std::function<std::unique_ptr<symbolic::Solver>(symbolic::TermStore&)>;
  SmtEncoding(const Unfolding& unfolding, Cone cone, bool deadlocks, symbolic::InputSpace* space,
              const MakeSolver& make_solver);

  // Is there a marking in which the property's target holds? Its past, and inputs that lead there.
  struct State {
    PastBuffer past;
    symbolic::Assignment inputs;
  };
  symbolic::Answer solve(const property::Property& property, const std::vector<AtomHistory>& atoms, State& state);

 private:
  using TermId = symbolic::TermId;
  using Terms = std::vector<TermId>;

  TermId event(EventId e) const { return events_[e.index()]; }
  TermId negation(TermId t) { return store_.negation(t); }
  TermId all(Terms terms);
  TermId any(const Terms& terms);
  void require(TermId clause) { clauses_.push_back(clause); }
  void implies(TermId a, TermId b) { require(store_.make(symbolic::TermKind::kOr, negation(a), b)); }
  void at_most_one(const Terms& terms);
  TermId fresh(unsigned width);
  TermId copied(TermId term);  // of the program's store

  bool is_event(EventId e) const { return u_[e].covered && u_[e].thread != kNoThread && cone_.contains(e); }
  void find_stuck();
  void make_events();
  void encode_pasts();      // B1, C1
  void encode_branches();   // B2
  void encode_conflicts();  // B3
  void encode_order();      // C2, C3
  template <class F>
  void for_each_order(F&& f) const;  // what must come before what: f(event, earlier, later)
  std::size_t longest_execution() const;
  TermId marked(ConditionId c);                                // B4
  TermId last_write(EventId w);                                // B4
  void encode_atom(const AtomHistory& atom, TermId variable);  // S1
  TermId enabled();                                            // D1
  TermId deadlock();                                           // D2 to D4
  EventId previous_change(EventId e, const std::vector<bool>& changes) const;
  void decode(const symbolic::Assignment& found, State& state) const;

  const Unfolding& u_;
  Cone cone_;
  std::vector<ConditionId> stuck_, ended_;  // where threads can be in a deadlock
  symbolic::InputSpace* space_;
  symbolic::TermStore store_;
  std::unique_ptr<symbolic::Solver> solver_;
  Terms events_;  // by event
  Terms clauses_;
  TermId base_;  // B and C, as one condition
  TermId deadlock_ = symbolic::kNoTerm;
  std::uint32_t fresh_ = 0;
  std::vector<Terms> writes_, reads_;              // by event: of what it left
  std::unordered_map<std::uint64_t, Terms> next_;  // by thread and last event: what the thread may do next
  std::unordered_map<std::uint64_t, std::vector<ConditionId>> states_;  // ... and its conditions there
  std::unordered_map<std::uint32_t, TermId> copies_;                    // of terms of the program's store
  std::unordered_map<std::uint32_t, TermId> marked_;
};

}  // namespace heddle::unfold
