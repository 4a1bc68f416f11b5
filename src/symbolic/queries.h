// Everything that stands between a question about a path and a solver. A question is a set of conditions and a
// hint: inputs that satisfy most of them, usually those of the execution that asks.
//
//   the hint            all conditions hold already
//   slicing             conditions that share no input, however indirectly, are questions of their own; those that the
//                       hint satisfies drop out, and only the inputs of the others change
//   contradiction       a condition and its negation
//   counterexamples     the same set has been answered; a known contradiction is a subset; a satisfied set is a
//   superset;
//                       or recent inputs happen to do
//   linear              contradictions between linear and single-variable conditions (linear.h)
//   inversion           some inputs changed (inversion.h)
//   CaDiCaL, then Z3    each with its time limit
//
// Whoever gives inputs, they are evaluated before anybody uses them.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "symbolic/query_counts.h"
#include "symbolic/solver.h"

namespace heddle::symbolic {

struct QueryOptions {
  std::chrono::milliseconds cadical_limit{200};  // 0: Z3 alone
  std::chrono::milliseconds z3_limit{2000};
  bool shortcuts = true;  // false: every question goes to a solver (measurements, and to compare in tests)
};

class Queries {
 public:
  explicit Queries(TermStore& store, const QueryOptions& options = {});
  Queries(TermStore& store, const QueryOptions& options, std::unique_ptr<Solver> solver);
  ~Queries();

  // Are the conditions satisfiable together? On kSat `inputs` satisfies them all.
  Answer ask(std::vector<TermId> conditions, const Assignment& hint, Assignment& inputs);

  // With the times of solver calls worked out.
  QueryCounts counts() const;

 private:
  using Set = std::vector<TermId>;  // ascending
  struct Entry {
    Answer answer = Answer::kUnknown;
    std::shared_ptr<const Assignment> inputs;
  };
  enum class By : std::uint8_t { kHint, kContradiction, kCache, kReuse, kLinear, kInversion, kCadical, kZ3, kNobody };

  std::vector<Set> slices(const Set& conditions);
  Answer settle(const Set& slice, const Assignment& hint, std::shared_ptr<const Assignment>& inputs, By& by);
  bool contradicts(const Set& slice) const;
  bool recall(const Set& slice, Entry& entry);
  Answer call_solvers(const Set& slice, Assignment& inputs, Set& core, By& by);
  void remember(const Set& slice, const Entry& entry, const Set& core);
  void count(By by);

  TermStore& store_;
  QueryOptions options_;
  std::unique_ptr<Solver> solver_;
  std::map<Set, Entry> answered_;
  std::unordered_map<std::uint32_t, std::vector<Set>> cores_;  // contradictions, by their first condition
  std::unordered_map<std::uint32_t, std::deque<std::pair<Set, std::shared_ptr<const Assignment>>>>
      satisfied_;  // by each condition
  std::deque<std::shared_ptr<const Assignment>> recent_;
  QueryCounts counts_;
  std::vector<float> solver_microseconds_;  // one per question that reached a solver
};

}  // namespace heddle::symbolic
