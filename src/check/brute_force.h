// The slow twin of everything in explore/: all interleavings by plain enumeration, classes by a canonical
// linearisation worked out in quadratic time from the dependence relation alone. Shares nothing with the algorithms
// it judges but the relation itself.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "check/canonical_form.h"
#include "check/script_program.h"
#include "trace/execution.h"

namespace heddle::check {

// Switches away from a thread that could have gone on.
int count_preemptions(const trace::Execution& execution);

// What all members of a class have in common, and how cheaply the class is reached.
struct ClassTruth {
  int preemptions = 0;  // the fewest of any member
  bool deadlocked = false;
  std::set<std::string> failures;  // place and kind of each
  std::vector<int> final_state;
  std::uint64_t members = 0;         // interleavings that were met
  std::uint64_t linearisations = 0;  // of the order that the relation puts on the steps of one of them; 0: not counted
};

struct Truth {
  std::map<std::string, ClassTruth> classes;  // by canonical form
  std::uint64_t interleavings = 0;
  // The form of a class two members of which end otherwise; empty: there is none. Then the relation has called steps
  // independent that are not, and no algorithm that goes by it can be trusted, however many classes it finds.
  std::string torn;
  // The form of a class that has other members than the linearisations of its order; empty: there is none. Steps that
  // the relation calls independent must commute: every linearisation is an interleaving, and no interleaving is of two
  // classes.
  std::string uneven;
};

// Nothing if there are more than `limit` interleavings.
std::optional<Truth> brute_force(const Script& script, std::uint64_t limit);

// The same with arrivals at the barrier as they come, and classes by what barriers mean: arrivals of one round are
// independent and happen before everything that their threads do next; who is told to be the serial thread is a
// difference if it looks. (With kInTurn it judges the order in which the front ends let threads arrive.)
std::optional<Truth> brute_force_by_rounds(const Script& script, std::uint64_t limit, Arrivals arrivals);

std::string failure_key(const trace::Failure& failure);

}  // namespace heddle::check
