// Which orders could be weaker without any failure: found by trying, each trial a search over all executions of the
// program with some orders weakened. First one place at a time: from the weakest order upwards, until one is found with
// which nothing fails and everything else stays as it is. Then all together, as one would go about it by hand: one
// place after the other, from the top of the source, gets the weakest order that goes with those before it.
// Weaker orders only ever allow more, so no place has to be tried with less than it had alone, and if all go with what
// they had alone that is the answer.
//
// What comes out holds for this test: another one may show what an order is there for. Which places are relaxed
// together depends on who comes first, where one of two would do; nothing of the result can be weakened further without
// a failure. (The same search, for locks, is the optimisation of VSync: Oberhauser and others, ASPLOS 2021.)
#pragma once

#include <optional>

#include "graph/order_trial.h"

namespace heddle::graph {

// Places that are one in the source: the compiler has made several of it, and they change together.
using PlaceGroups = std::vector<std::vector<std::uint32_t>>;

struct RelaxOptions {
  OrderTrials trials;
  // Places that may be changed. Nothing: all of them, each on its own.
  std::optional<PlaceGroups> groups;
  // Before each trial: the program has the steps that it is known to have now. A search in which it turned out to have
  // more is made again.
  std::function<void()> begin = [] {};
  // Asked after each execution: why nothing more can be found out (time); empty: go on.
  std::function<std::string()> stop = [] { return std::string(); };
};

// The program does not fail, and all its executions can be explored.
explore::Relaxation relax(Program& program, const RelaxOptions& options);

}  // namespace heddle::graph
