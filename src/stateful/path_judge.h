// Do inputs exist that lead to all these local states at once? The branches on inputs behind a local state are part of
// it, so the answer depends on the local states alone, and is kept by their sets of branches.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "net/program_net.h"
#include "trace/feasibility.h"

namespace heddle::stateful {

class PathJudge {
 public:
  PathJudge(const net::ProgramNet& net, trace::Feasibility* feasibility) : net_(net), feasibility_(feasibility) {}

  bool feasible(std::span<const net::LocalId> locals);
  bool feasible(const net::Marking& marking);
  std::size_t bytes() const { return known_.size() * 32; }

 private:
  const net::ProgramNet& net_;
  trace::Feasibility* feasibility_;
  std::unordered_map<std::uint64_t, bool> known_;
  std::vector<net::LocalId> locals_;
  std::vector<trace::Step> branches_;
};

}  // namespace heddle::stateful
