// How the atoms of a property change along an execution. Everything is read off its steps: no front end is asked.
//
// What an atom is after a step follows from the causal past of that step alone: writes of one object are ordered, so
// are the operations on one lock and the steps of one thread. So the changes found in one execution are those of its
// whole class, and each belongs to an event of the unfolding.
#pragma once

#include <functional>
#include <vector>

#include "property/property.h"
#include "trace/execution.h"

namespace heddle::property {

struct Change {
  EventIndex step = 0;
  std::uint32_t atom = 0;
  AtomValue to;
};

class Changes {
 public:
  // What stands in the ranges of places, for a `where`; none: the number itself.
  using Locator = std::function<std::uint64_t(std::uint32_t)>;

  explicit Changes(const std::vector<Atom>& atoms, Locator locator = {})
      : atoms_(atoms), locator_(std::move(locator)) {}

  void read(const trace::Execution& execution);

  const std::vector<AtomValue>& initial() const { return initial_; }  // by atom
  const std::vector<Change>& list() const { return changes_; }        // by step
  // Of the final state; a deadlock is in no other.
  bool deadlocked() const { return deadlocked_; }
  // Some execution found a value that no step had left: there are states that steps do not show.
  bool unseen() const { return unseen_; }

 private:
  void read_value(std::uint32_t atom);
  void read_lock(std::uint32_t atom);
  void read_thread(std::uint32_t atom);
  void change(EventIndex step, std::uint32_t atom, AtomValue to, AtomValue& now);
  // What the atom of a thread is if the thread stands before an operation at `where`, or has ended.
  AtomValue standing_at(const Atom& atom, std::uint32_t where) const;
  AtomValue in_the_end(const Atom& atom, EventIndex last) const;
  bool parked(ThreadId t, EventIndex last) const;

  const std::vector<Atom>& atoms_;
  Locator locator_;
  const trace::Execution* execution_ = nullptr;
  std::vector<AtomValue> initial_;
  std::vector<Change> changes_;
  bool deadlocked_ = false;
  bool unseen_ = false;
};

}  // namespace heddle::property
