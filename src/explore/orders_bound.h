// How large is a search at most, going by its first execution alone? No probes, no estimate (estimate.h): it only tells
// searches that are small for certain from those that may not be.
//
// A class is given by the order of the steps on each object. Steps of different threads are taken in any order, except
// where starting and joining of threads puts one before the other: the bound is the product, over all objects, of the
// ways to shuffle what each thread does there. What holds steps together otherwise - locks around them, values that are
// read - makes classes fewer, and what threads do only in other executions makes them more.
#pragma once

#include "trace/execution.h"

namespace heddle::explore {

// The binary logarithm of that number, or more than `enough` as soon as it is more.
double log2_of_orders(const trace::Execution& execution, double enough);

}  // namespace heddle::explore
