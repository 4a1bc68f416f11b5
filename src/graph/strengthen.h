// Which orders would have to be stronger for a failure not to happen: found by trying, as one would by hand. All
// accesses and fences of the failing execution are made sequentially consistent, and the search is run again. If the
// failure is gone, one place after the other gets the weakest order back under which it stays gone. What is left is a
// strengthening of which nothing can be spared, and that it is enough was seen by exploring every execution of the
// program with it: "make the store at ring.h:31 release and the load at ring.h:40 acquire: then it cannot happen".
//
// Which places can be spared depends on which are tried first, so both directions are gone and the one that leaves
// fewer is told. (To find the weakest orders of a lock by trying them is what VSync does: Oberhauser and others,
// ASPLOS 2021.)
#pragma once

#include <functional>
#include <span>

#include "explore/explorer.h"
#include "trace/memory_order.h"
#include "trace/program.h"

namespace heddle::graph {

using namespace trace;

struct Strengthening {
  MemoryModel model = MemoryModel::kCpp20;
  // The program is run with these orders from now on, and with its own everywhere else.
  std::function<void(std::span<const OrderAt>)> give;
  // Has the program turned out to have other steps than it had when the search began? Then nothing is told.
  std::function<bool()> changed = [] { return false; };
  // Effort per finding; all together get as much as ten.
  std::uint64_t max_steps = 1'000'000;
};

// Explains findings, by what would have prevented them, or that orders do not.
void explain_by_orders(Program& program, const Strengthening& how, explore::ExploreResult& result);

}  // namespace heddle::graph
