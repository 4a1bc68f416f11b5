// Global states by search in a finished unfolding: the question that Kähkönen 2015 section 6.2 puts to an SMT solver,
// answered the way section 6.3 looks for deadlocks.
//
// What a condition speaks of are *atoms* (property/expression.h), and each is a place of its own: the events that
// change the atom are the conditions of that place, one of which is marked at any time. Every execution that was run
// has told what its events make of the atoms. A state in which the condition holds is then a set of such conditions,
// one per atom, that can be marked together (a co-set): the union of their pasts is a configuration, and no event in it
// changes one of the atoms again. That union is the least configuration that has these values; any other that has them
// contains it, so nothing is lost by looking at it alone.
//
// Atoms are chosen one after the other, and a choice is given up as soon as that is certain to lead nowhere, which more
// choices never undo:
//
//   values      conditions with the same value are looked at together. A part of the condition is evaluated when its
//   last
//               atom has a value, before any concurrency is asked about: most values go with few others.
//   concurrency the union of the pasts must stay a configuration, and leave the atoms chosen before as they are
//   inputs      last of all: are there any that lead along the branches of the union to values with which the condition
//               holds? (queries.h)
//
// A condition is split into alternatives first, so that `i >= 144 || j >= 144` is two questions about one place each.
//
// A deadlock is a state in which every thread has come to its end or waits. `deadlock` alone is what deadlock_search.h
// finds; together with other atoms the states found here are extended to ends of all threads (whole_executions.h). So
// they are if the program makes assumptions: a state counts if an execution that passes it does.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "property/changes.h"
#include "symbolic/input_space.h"
#include "unfold/concurrency.h"
#include "unfold/smt_encoding.h"
#include "unfold/whole_executions.h"

namespace heddle::unfold {

// What is asked about global states, and who knows about inputs (null: there are none).
struct GlobalQuestions {
  std::vector<property::Property> properties;
  symbolic::InputSpace* space = nullptr;
  std::function<void(const symbolic::Assignment&)> prefer;  // inputs to begin the next execution with
  property::Changes::Locator locator;
  std::function<bool()> goes_on;        // asked now and then; false: the search is given up, undecided
  SmtEncoding::MakeSolver make_solver;  // by constraint solving (smt_encoding.h), unless the program makes assumptions
};

// What CaDiCaL has for a formula; the rest of the limit is Z3's.
inline constexpr std::chrono::milliseconds kFormulaFirst{45'000};

// States that are run for a property before it is given up: each should have been one that is looked for.
inline constexpr std::uint64_t kMostTries = 64;
inline constexpr const char* kUndecided = "it could not be decided whether a state can be reached";

class GlobalSearch {
 public:
  GlobalSearch(Unfolding& unfolding, Concurrency& concurrency, GlobalQuestions questions);

  // What an execution did to the atoms; `events` are those of its steps (kNone: the step stands for none).
  void learn(const Execution& execution, const std::vector<EventId>& events);

  // The same for whoever knows without executions what events do (stateful/stateful_unfolding.h): what an atom of a
  // property is after the event that changes it, or in the beginning (kNone); and which states an execution has passed.
  std::size_t properties() const { return questions_.size(); }
  const std::vector<property::Atom>& atoms(std::size_t property) const {
    return questions_[property].property->expression.atoms;
  }
  void note(std::size_t property, std::uint32_t atom, EventId event, const property::AtomValue& value);
  void learn_answers(const Execution& execution);

  // Once the unfolding is complete: events in an order that leads to a state that is looked for, and that no execution
  // has passed yet. False: there is none.
  bool next(std::vector<EventId>& order);

  // The solver could not decide about a state, or executions that were to pass one did not.
  bool undecided() const;

 private:
  using TermId = symbolic::TermId;
  using AtomValue = property::AtomValue;

  // The conditions of an atom's place that have the same value.
  struct Bucket {
    AtomValue value;
    bool initial = false;
    std::vector<EventId> events;
  };
  struct Place {
    std::vector<Bucket> buckets;
    std::size_t events = 0;
  };
  struct Question {
    explicit Question(property::Property p, const property::Changes::Locator& locator)
        : property(std::make_unique<property::Property>(std::move(p))),
          changes(property->expression.atoms, locator),
          places(property->expression.atoms.size()) {}
    std::unique_ptr<property::Property> property;  // the changes refer to it
    property::Changes changes;
    std::vector<Place> places;  // by atom
    // What each event changes: chains of atoms, and where that of an event begins, 0 if it changes none.
    struct Changed {
      std::uint32_t atom = 0, next = 0;
    };
    std::vector<Changed> changed{1};
    std::vector<std::uint32_t> changed_by;
    bool answered = false;
    bool shown = false;       // an execution has passed such a state
    std::uint64_t tried = 0;  // states that were run
  };
  // A part of a conjunction, to be evaluated when the atom at `level` has a value.
  struct Literal {
    TermId term;
    std::size_t level = 0;
  };

  bool search(Question& question, TermId condition);
  bool solve(Question& question);
  Cone cone_of(Question& question, std::size_t most, bool& left_out);
  void plan(TermId condition);
  bool given_up();
  bool choose(std::size_t level);
  bool try_initial(std::size_t level);
  bool try_event(std::size_t level, EventId e);
  const std::vector<std::uint32_t>& good_values(std::size_t level);
  bool refuted(std::size_t level);
  bool changes(std::uint32_t event, std::uint32_t atom) const;
  bool changed_since(std::uint32_t atom, const PastBuffer& past, EventId e) const;
  bool leaves_alone(const PastBuffer& past, const PastBuffer& since, std::size_t levels) const;
  bool found();
  bool whole();
  PastBuffer passed_by(const std::vector<EventId>& events, const PastBuffer& state) const;
  bool take(const symbolic::Assignment& inputs);
  bool satisfiable(const PastBuffer& past, symbolic::Assignment& inputs);

  Unfolding& u_;
  Concurrency& co_;
  GlobalQuestions asked_;
  std::vector<Question> questions_;
  std::vector<bool> known_;  // by event: its changes are
  std::unique_ptr<WholeExecutions> whole_;
  bool assumes_ = false;  // some thread assumes something in some execution

  // The search under way.
  Question* question_ = nullptr;
  TermId condition_;
  std::vector<std::uint32_t> atoms_;  // in the order in which they are chosen
  std::vector<Literal> literals_;
  static constexpr std::uint32_t kNoAtom = ~0u;
  std::uint32_t deadlock_ = kNoAtom;  // the atom, if the condition speaks of it
  bool wants_deadlock_ = false;
  std::vector<PastBuffer> pasts_;  // by level
  std::vector<EventId> chosen_;    // by level; kNone: as in the beginning
  std::vector<std::uint32_t> chosen_bucket_;
  std::vector<AtomValue> values_;  // by atom
  symbolic::Assignment numbers_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> good_;
  std::uint64_t skip_ = 0;  // states that were tried before
  std::vector<EventId> order_;
  bool undecided_ = false;
  bool given_up_ = false;
  std::uint64_t choices_ = 0;
};

}  // namespace heddle::unfold
