// Optimal-DPOR's search as plain data, and a search that goes on from it (saved_search.h).
#include "explore/optimal_dpor.h"

namespace heddle::explore {

bool OptimalDpor::save(SavedSearch& saved) const {
  std::size_t size = path_.nodes.size();
  while (size > floor_ + 1 && path_.nodes[size - 1].wakeups == kNoWakeup) --size;
  saved = {.begun = started_, .floor = static_cast<std::uint32_t>(floor_), .path = {}, .nodes = {}};
  saved.path.assign(path_.steps.begin(), path_.steps.begin() + static_cast<std::ptrdiff_t>(size));
  saved.nodes.resize(size);
  for (EventIndex i = 0; i < size; ++i) {
    std::size_t inherited = 0;
    if (i > 0)
      for (const Step& q : path_.sleep_at(i - 1)) inherited += dependent(q, path_.steps[i - 1]) ? 0 : 1;
    const auto explored = path_.sleep_at(i).subspan(inherited);
    SavedNode& to = saved.nodes[i];
    to.explored.assign(explored.begin(), explored.end());
    for (WakeupIndex w = path_.nodes[i].wakeups; w != kNoWakeup; w = path_.forest[w].next_sibling)
      for (auto& sequence : path_.forest.sequences(w)) to.wakeups.push_back(std::move(sequence));
    to.open = !to.wakeups.empty();
  }
  return true;
}

// The path is gone along again; its races are looked at with the next execution, and ask for nothing new.
bool OptimalDpor::resume(const SavedSearch& saved) {
  REQUIRE(path_.nodes.empty() && saved.path.size() == saved.nodes.size());
  started_ = saved.begun;
  floor_ = saved.floor;
  path_.steps = saved.path;
  path_.nodes.resize(saved.path.size());
  for (EventIndex i = 0; i < saved.path.size(); ++i) {
    decisions_.push_back({saved.path[i].thread, saved.path[i].choice});
    if (i > 0) path_.inherit_sleep(i);
    path_.add_to_sleep(i, saved.nodes[i].explored);
    for (const auto& sequence : saved.nodes[i].wakeups) path_.forest.graft(path_.nodes[i].wakeups, sequence);
    races_.take_in(i);
  }
  return true;
}

}  // namespace heddle::explore
