// The operators of compiled code on terms (symbolic_abi.h).
#pragma once

#include "native/protocol/symbolic_abi.h"
#include "symbolic/term.h"

namespace heddle::runtime {

// Both operands as terms of this width; unary operators ignore b.
symbolic::TermId apply_to_terms(symbolic::TermStore& s, protocol::SymbolicOp op, symbolic::TermId a,
                                symbolic::TermId b);

// The condition that the signed sum, difference or product does not overflow.
symbolic::TermId fits_signed(symbolic::TermStore& s, protocol::SymbolicOp op, symbolic::TermId a, symbolic::TermId b);

// How many of the lowest bits are 0, whatever the inputs.
unsigned trailing_zeros(const symbolic::TermStore& s, symbolic::TermId t);

}  // namespace heddle::runtime
