// Two explorers had copies of one node of the search. One of them, `theirs`, comes first in depth-first order and is
// done; the other one, `ours`, went on meanwhile from `before` as if nothing more would be added there. Would one
// explorer, doing first the one and then the other, have done just the same, and how would the node stand then?
//
// If only one of them has changed the node, yes, and the change is what counts: what is asked for at a node is covered
// as long as more is added to it. If both have, it depends:
//
// * Wakeup trees (explore/wakeup_tree.h). An insertion goes down the first branch that will have it, and branches are
//   added at the end. So a branch that they have added does not change where ours went, unless ours found no branch and
//   added one, too. What they have added within a branch must not have been begun by us.
// * Backtrack sets (explore/tree.h). Threads are taken in the order of their numbers. So what they have added must come
// after
//   all that we have taken since, and we must not have added anything ourselves: that might have been covered.
#pragma once

#include <optional>

#include "explore/saved_search.h"

namespace heddle::dist {

// Nothing: what ours did meanwhile has to be done again. `last_taken` is the step with which ours left the node last.
std::optional<explore::SavedNode> merged(const explore::SavedNode& before, const explore::SavedNode& theirs,
                                         const explore::SavedNode& ours, const trace::Step& last_taken);

}  // namespace heddle::dist
