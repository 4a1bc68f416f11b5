// Holds an algorithm with symbolic inputs to brute force over all inputs and all interleavings.
//
// A script reads inputs of one or two bits, so trying every value of each is trying everything. Its obvious interpreter
// knows no terms: it marks what depends on inputs and writes down how branches on such values turned out. The model
// front end gets the same script as a text, and its inputs are symbolic.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "check/script.h"
#include "explore/algorithms.h"

namespace heddle::check {

struct InputTruth {
  std::set<std::string> classes;    // canonical form and outcomes of branches
  std::set<std::string> deadlocks;  // those that end in one
  std::set<std::string> failures;   // thread, kind and message
  std::uint64_t runs = 0;
};

// Nothing if it takes more than `limit` runs.
std::optional<InputTruth> brute_force_inputs(const Script& script, std::uint64_t limit);

// Empty: the algorithm found exactly that, each class once where it promises to, and optimal-dpor in depth-first order
// put nothing to sleep. Otherwise what was wrong.
std::string disagreement_on_inputs(const Script& script, const InputTruth& truth,
                                   const explore::StrategyOptions& options);

}  // namespace heddle::check
