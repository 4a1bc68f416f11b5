// Concrete inversion: the cheapest way to satisfy conditions that are false under known inputs.
//
// Walk from a false condition down to one input, asking at each operator which value of one operand, the others staying
// as they are, gives the value wanted above; set the input to what arrives there, and evaluate everything. Most
// branches compare something invertible with something known, so most queries end here, in microseconds (the
// measurements are in docs/inputs.md). A guess that does not verify is forgotten: the method never answers
// "unsatisfiable".
//
// Two things make it go further than one condition. Where a condition says that an input *equals* a term without it,
// the input is not free: it follows from the others, is computed from them at every guess, and a walk that arrives at
// it goes on into the term. And where no guess satisfies everything, the one that satisfies the condition at hand and
// the most of the others is taken, and the next false condition is repaired from there; if that leads nowhere, all of
// it again from inputs drawn at random, where nothing is zero or equal by chance.
#pragma once

#include <optional>
#include <span>

#include "symbolic/term.h"

namespace heddle::symbolic {

// Inputs that satisfy all of `conditions`, near `hint`.
std::optional<Assignment> invert(TermStore& store, std::span<const TermId> conditions, const Assignment& hint);

}  // namespace heddle::symbolic
