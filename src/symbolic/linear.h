// Contradictions that arithmetic on paper would find: the cheap pass for linear and single-variable conditions.
//
// Equations between sums of multiples of inputs are eliminated one after the other, as Gauss does, modulo 2^width: a
// row with an odd coefficient gives what that unknown equals, which is put into all other rows. An unknown is an input
// or any term that is no sum (a product, a remainder, ...), so x*y = z and x*y = z+1 contradict each other too. Then
//
// * an equation that comes to "0 = c" with c other than 0 is impossible, and so is one whose coefficients are all even
//     and whose constant is odd;
//   * a disequality whose sides come to the same sum is impossible;
//   * an order between numbers must be true, and the orders between one unknown and numbers must leave it a value, in
//     signed or unsigned intervals.
//
// What it does not see (overflow, two unknowns in an order, an even pivot) is left to the solvers: "false" means
// nothing. Paths of concolic executions repeat such contradictions in ever other company; the answer comes with a
// minimal set of conditions, which settles the others by the cache.
#pragma once

#include <span>
#include <vector>

#include "symbolic/term.h"

namespace heddle::symbolic {

bool linearly_contradictory(const TermStore& store, std::span<const TermId> conditions);

// A subset of contradictory conditions, none of which can be left out.
std::vector<TermId> linear_core(const TermStore& store, std::span<const TermId> conditions);

}  // namespace heddle::symbolic
