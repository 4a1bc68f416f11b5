// The slow twin of unfold/: the causal past of every event of an execution, spelled out. An event is described by its
// operation and by the events directly before it, and descriptions are interned as they are, without hashing: two
// events get the same number exactly if their pasts are the same labelled partial order. Two sets of executions
// have isomorphic unfoldings exactly if they have the same set of numbers.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "trace/execution.h"
#include "unfold/unfolding.h"

namespace heddle::check {

class EventPasts {
 public:
  explicit EventPasts(unfold::Variant variant) : variant_(variant) {}

  // The numbers of the execution's events, in its order.
  std::vector<int> operator()(const trace::Execution& execution);
  // Where its threads are blocked at the end, each with the number of its last event and of who woke it last; empty
  // unless it ended in a deadlock. Threads are those that have something pending or are left waiting.
  std::string blocked_marking(const trace::Execution& execution);

 private:
  int intern(const std::string& description);
  unfold::Variant variant_;
  std::map<std::string, int> known_;
};

}  // namespace heddle::check
