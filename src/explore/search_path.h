// Where a search with wakeup trees stands: the execution E it ran last, and for each prefix E' of it what Algorithm 2
// (optimal_dpor.h) keeps there: sleep(E') and wut(E').
//
// Sleep sets of all prefixes lie in one list, end to end. As long as no step wakes anybody up, a prefix has the range
// of the one before it.
#pragma once

#include <span>
#include <vector>

#include "explore/wakeup_tree.h"

namespace heddle::explore {

struct SearchPath {
  struct Node {
    WakeupIndex wakeups = kNoWakeup;  // wut(E'), without the branch that E took
    std::uint32_t sleep_begin = 0;    // sleep(E') is sleep[sleep_begin .. sleep_end)
    std::uint32_t sleep_end = 0;
  };

  std::span<const Step> sleep_at(EventIndex e) const {
    return {sleep.data() + nodes[e].sleep_begin, sleep.data() + nodes[e].sleep_end};
  }
  // Node i is reached by step i-1, and inherits what is independent of it.
  void inherit_sleep(EventIndex i);
  void add_to_sleep(EventIndex e, std::span<const Step> more);  // the last node whose sleep set is there

  std::vector<Step> steps;
  std::vector<Node> nodes;  // nodes[i]: the prefix of i steps
  std::vector<Step> sleep;
  WakeupForest forest;   // of all nodes
  EventIndex fresh = 0;  // the steps from here on came with the last execution
};

inline void SearchPath::inherit_sleep(EventIndex i) {
  const Node& parent = nodes[i - 1];
  const Step& step = steps[i - 1];
  Node& node = nodes[i];
  std::uint32_t s = parent.sleep_begin;
  while (s < parent.sleep_end && !trace::dependent(sleep[s], step)) ++s;
  if (s == parent.sleep_end) {
    node.sleep_begin = parent.sleep_begin;
    node.sleep_end = parent.sleep_end;
    return;
  }
  node.sleep_begin = static_cast<std::uint32_t>(sleep.size());
  for (s = parent.sleep_begin; s < parent.sleep_end; ++s)
    if (!trace::dependent(sleep[s], step)) sleep.push_back(Step(sleep[s]));
  node.sleep_end = static_cast<std::uint32_t>(sleep.size());
}

inline void SearchPath::add_to_sleep(EventIndex e, std::span<const Step> more) {
  sleep.resize(nodes[e].sleep_end);
  sleep.insert(sleep.end(), more.begin(), more.end());
  nodes[e].sleep_end = static_cast<std::uint32_t>(sleep.size());
}

}  // namespace heddle::explore
