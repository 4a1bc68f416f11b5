// Holds one algorithm to brute force on one script. Used by the oracle tests.
#pragma once

#include <string>

#include "check/brute_force.h"
#include "explore/algorithms.h"

namespace heddle::check {

// Empty: the algorithm found exactly the classes, deadlocks, failures and final states of the truth (restricted to
// its pre-emption bound if it has one), each class once where it promises that, and optimal-DPOR in depth-first
// order put nothing to sleep. Otherwise what was wrong.
std::string disagreement(const Script& script, const Truth& truth, const explore::StrategyOptions& options);

}  // namespace heddle::check
