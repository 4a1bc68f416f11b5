// Random terms over three inputs, for comparing evaluation, bit-blasting and Z3.
#pragma once

#include "base/random.h"
#include "symbolic/term.h"

namespace heddle::symbolic {

// A term of the width over inputs a, b and c of that width; about `size` operators, of every kind.
TermId random_term(TermStore& store, Random& random, unsigned width, int size);
// A condition over such terms.
TermId random_condition(TermStore& store, Random& random, unsigned width, int size);

}  // namespace heddle::symbolic
