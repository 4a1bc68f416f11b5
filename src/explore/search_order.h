// In which order the alternatives at one node of the search tree are tried (Frontrun, "search strategies"). All orders
// visit the same classes; they differ in how early the exploration becomes diverse.
//
// Frontrun keeps one counter for the whole search and indexes the siblings that are left, which disappear as they
// are explored: its claim that all siblings are visited then fails. Here each node has a counter of its own,
// running over a permutation of the node's *original* sibling list (all threads enabled there); threads that
// are not wanted (yet) are passed over, and the counter goes round until none is left.
#pragma once

#include "explore/algorithms.h"

namespace heddle::explore {

struct SiblingCounter {
  std::uint32_t tried = 0;
};

// The next of `wanted` (not empty) among `siblings`; `depth` is the node's.
ThreadId choose_sibling(const SearchOrder& order, SiblingCounter& counter, ThreadSet siblings, ThreadSet wanted,
                        std::size_t depth);

}  // namespace heddle::explore
