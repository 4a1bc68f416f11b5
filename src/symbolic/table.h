// Reading from a table at an index that depends on inputs, as one term instead of a branch per index.
//
// The term is a multiplexer over the bits of the index: halves of the table chosen by the highest bit, halves of these
// by the next, and so on. Against a chain of comparisons that is the same number of choices, but of single bits, in a
// depth of log n, and equal neighbours fall together where they meet; solvers take tables in this form about forty
// times faster than as arrays.
#pragma once

#include <span>

#include "symbolic/term.h"

namespace heddle::symbolic {

// elements[index]. Nothing is said about an index beyond them: the path has to exclude it. At least one element; all
// have one width.
TermId element_of(TermStore& store, TermId index, std::span<const TermId> elements);

}  // namespace heddle::symbolic
