// Concrete inversion: the cheapest way to satisfy a condition that is false under known inputs.
//
// Walk from the condition down to one input, asking at each operator which value of one operand, the others staying as
// they are, gives the value wanted above; set the input to what arrives there, and evaluate everything. Most branches
// compare something invertible with something known, so most queries end here, in microseconds (the measurements are in
// docs/inputs.md). A guess that does not verify is forgotten: the method never answers "unsatisfiable".
#pragma once

#include <optional>
#include <span>

#include "symbolic/term.h"

namespace heddle::symbolic {

// Inputs that satisfy all of `conditions`, one input of `hint` changed at most per condition that is false under it.
std::optional<Assignment> invert(TermStore& store, std::span<const TermId> conditions, const Assignment& hint);

}  // namespace heddle::symbolic
