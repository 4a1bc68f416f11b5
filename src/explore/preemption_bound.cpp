#include "explore/preemption_bound.h"

#include "explore/dpor_cr.h"

namespace heddle::explore {

void PreemptionBound::learn(const Execution& execution) {
  tree_.grow(execution);
  next_.for_each(execution, tree_.fresh(), before_, [&](EventIndex state, const Step& v) {
    const EventIndex i = race_by_object(execution, before_, state, v);
    if (i == kNoEvent) return;
    tree_.add(i, v.thread);
    tree_.add(tree_.block_start(i), v.thread);
  });
}

}  // namespace heddle::explore
