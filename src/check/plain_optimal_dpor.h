// Algorithm 2 of JACM 2017 taken by its word, for comparison with explore/optimal_dpor.h, whose essay has its lines:
// wakeup trees are trees, every execution's happens-before is worked out anew, all its races are looked at, each v from
// beginning to end, and nothing is remembered. For programs without inputs.
#pragma once

#include <vector>

#include "explore/strategy.h"
#include "trace/happens_before.h"

namespace heddle::check {

class PlainOptimalDpor final : public explore::Strategy {
 public:
  bool next(trace::Schedule& schedule) override;
  void learn(const trace::Execution& execution) override;

 private:
  using Sequence = std::vector<trace::Step>;
  struct Branch {
    trace::Step p;
    std::vector<Branch> subtree;
  };
  using Tree = std::vector<Branch>;
  struct Node {
    Tree wut;
    Sequence sleep;
  };

  Sequence notdep(EventIndex e, const trace::HappensBefore& before) const;
  void reverse(EventIndex e, Sequence v, const trace::Step& last);
  static bool weak_initial(const trace::Step& p, const Sequence& v);
  static void insert(Tree& tree, Sequence v);

  bool started_ = false;
  std::size_t fresh_ = 0;
  Sequence path_;
  std::vector<Node> nodes_;    // of the prefixes of the path
  std::vector<Tree> planned_;  // WuT of the nodes to come
};

}  // namespace heddle::check
