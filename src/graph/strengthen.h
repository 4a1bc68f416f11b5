// Which orders would have to be stronger for a failure not to happen: found by trying, as one would by hand. All
// accesses and fences of the failing execution are made sequentially consistent, and the search is run again. If the
// failure is gone, one place after the other gets the weakest order back under which it stays gone. What is left is a
// strengthening of which nothing can be spared, and that it is enough was seen by exploring every execution of the
// program with it: "make the store at ring.h:31 release and the load at ring.h:40 acquire: then it cannot happen".
//
// The same is tried with fences before the accesses, none of which the program has: where fewer of them will do (a
// sequence lock, the entry of a lock), they are told as well.
//
// Which places can be spared depends on which are tried first, so both directions are gone and the one that leaves
// fewer is told. (To find the weakest orders of a lock by trying them is what VSync does: Oberhauser and others,
// ASPLOS 2021.)
#pragma once

#include "graph/order_trial.h"

namespace heddle::graph {

// Explains findings, by what would have prevented them, or that orders do not. Each gets the effort of one question,
// all together that of ten.
void explain_by_orders(Program& program, const OrderTrials& how, explore::ExploreResult& result);

}  // namespace heddle::graph
