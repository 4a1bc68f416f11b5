// The inputs of a program under test, as its front end meets them in one execution after the other.
//
// An execution runs on concrete inputs; beside each value that depends on them stands its term. At a branch on such a
// value the front end asks which outcomes inputs can bring about (`outcomes`), is told which one to take, and takes it
// (`take`). If the inputs at hand lead elsewhere, the execution starts again from the beginning with inputs that follow
// the path so far and this outcome:
//
//   do { space.begin(start); ... } while (space.again());
//
// Which inputs an execution starts with only decides how often that happens. It never changes what is explored: a
// path is its conditions, not the inputs that happened to follow it. Nor does it change what is explored first: where
// nobody says which outcome to take, it is the one that zeros lead to, or else the least, whoever explores and whatever
// they have seen before (`first_outcome`). So several explorers of one search, who know different inputs, go the same
// ways (src/dist).
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/small_set.h"
#include "symbolic/paths.h"

namespace heddle::symbolic {

class InputSpace {
 public:
  explicit InputSpace(const QueryOptions& options = {}) : queries_(store_, options), paths_(store_, queries_) {}

  // With another solver than the usual ones.
  InputSpace(const QueryOptions& options, std::unique_ptr<Solver> (*make)(TermStore&, const QueryOptions&))
      : queries_(store_, options, make(store_, options)), paths_(store_, queries_) {}

  TermStore& terms() { return store_; }

  // Starts an execution with the inputs known for this path.
  void begin(PathId start);
  // Those that satisfy the conditions with as many zeros as can be, from the first input on, and then the least
  // numbers. They depend on nothing else. (If a solver gives up, some of them may be larger.)
  Assignment least_inputs(std::vector<TermId> conditions);
  // Inputs to begin the next execution with, whatever its path: somebody knows that they lead where it goes.
  void prefer(Assignment inputs) { preferred_ = std::move(inputs); }
  // Must the execution that was begun last be started again, with other inputs?
  bool again();

  // The value of an input in this execution.
  std::uint64_t value_of(TermId input) const;

  // Outcomes of a branch on `value`: of a condition (one bit) 0 and 1; of a wider term the numbers below `count`.
  // `actual` is the one that the inputs at hand lead to. An outcome that could not be decided is left out, and
  // counted in `undecided`.
  SmallSet outcomes(TermId value, std::size_t count, std::size_t actual);
  // Of possible outcomes, the one to go on with: a matter of the path alone. (Where inputs were preferred it is
  // theirs.)
  std::size_t first_outcome(TermId value, const SmallSet& possible, std::size_t actual);
  // Likewise a possible number for `value` to be from here on: 0's if it can be that, else the least.
  std::uint64_t first_value(TermId value, std::uint64_t actual);
  // Is this outcome possible?
  bool possible(TermId value, std::size_t outcome);
  // Goes on with an outcome. False: the inputs at hand do not lead there; stop, and start again.
  bool take(TermId value, std::size_t outcome, std::size_t actual);

  // The condition under which `value` comes out so.
  TermId condition(TermId value, std::size_t outcome);

  PathId path() const { return path_; }
  // The outcomes on it as one number, the same for every explorer.
  std::uint64_t outcomes_so_far() const { return outcomes_so_far_; }
  // Those of the execution that was begun last.
  const Assignment& last_inputs() const { return inputs_; }
  Paths& paths() { return paths_; }
  Queries& queries() { return queries_; }
  QueryCounts counts() const {
    QueryCounts out = queries_.counts();
    out.restarts = restarts_;
    return out;
  }
  // Since the last call: some outcome could not be decided.
  bool undecided() {
    const bool was = undecided_;
    undecided_ = false;
    return was;
  }

 private:
  TermStore store_;
  Queries queries_;
  Paths paths_;
  Assignment inputs_;
  std::optional<Assignment> preferred_;
  bool follows_preferred_ = false;
  PathId path_ = kEmptyPath;
  PathId wanted_ = kEmptyPath;  // start again with its inputs
  std::uint64_t outcomes_so_far_ = 0;
  bool undecided_ = false;
  std::uint64_t restarts_ = 0;
};

}  // namespace heddle::symbolic
