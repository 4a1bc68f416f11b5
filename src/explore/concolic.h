// Schedules and inputs in one tree (Saarikivi et al. 2012 section III, Kähkönen 2015 section 2.4; optimality as in
// Optimal-DPOR).
//
// A branch on a value that depends on inputs is a step of its thread, without object, whose alternatives are the
// outcomes that some inputs bring about. Every algorithm knows operations with alternatives, so every algorithm
// explores paths: a class is a Mazurkiewicz trace together with the outcomes of its branches. The front end finds
// inputs for the outcomes a schedule prescribes, and says which outcomes are possible after the steps that were taken
// (symbolic/input_space.h).
//
// One thing is new. Branches of different threads are independent: their order is not observable, and the condition on
// a path is the same whatever their order. But one may *exclude* an outcome of the other, where both look at the same
// input. So a step that is independent of everything in a sequence need not be possible after it. For algorithms that
// name threads (exhaustive, dpor, source-dpor, ...) this changes nothing: after any sequence the branch has some
// outcome left, and all its outcomes are explored from the node where its thread is. Optimal-DPOR puts steps of one
// execution into another order, and it must look:
//
// * Flipping e = p:T to p:F calls for v = notdep(e, E).p:F. If p:F excludes branches in notdep(e, E), they and what
//   depends on them must be left out. Completeness wants v to contain every u that is compatible with p:F and was seen
//   after e: let w be a continuation that nobody covers, q the explored step with the longest prefix u of w after
//   which q is a weak initial. If q = p:T and w has p:F, then u.p:F is feasible, some explored E extends q.u, and a v
//   with u.p:F below it leads to a step that is a weak initial of more of w than q is: a contradiction. Hence one v for
//   each *maximal* subset of notdep(e, E) that is compatible with p:F. Nearly always that is all of it.
// * A weak initial that is itself a branch and not part of v counts only if it is compatible with v. The same goes for
//   the branches of a wakeup tree on the way to the place of v.
// * An execution that finds an assumption impossible did so because of the branches before it. Its failed assumption is
//   no step to be repeated elsewhere, and is left out of v.
//
// Whatever goes into a wakeup tree was found feasible, so it can be followed; and a v is only inserted if no sleeping
// step is a weak initial of it, so nothing is ever sleep-set blocked, as without inputs.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "trace/feasibility.h"

namespace heddle::explore {

using trace::Feasibility;
using trace::Step;

inline bool is_branch(const Step& s) {
  return s.op.kind == trace::OpKind::kBranch || s.op.kind == trace::OpKind::kAssume;
}

using Sequence = std::vector<const Step*>;

// Can all of it happen, in any order that respects dependence? True without a judge.
bool compatible(Feasibility* judge, const Sequence& path, const Sequence& more, const Step& last);

// The branches of a path, which are what decides about others.
Sequence branches_of(std::span<const Step> path);

// Can `branch` not come out as it did after `path` if v is to follow?
bool excluded(Feasibility& judge, std::span<const Step> path, const Sequence& v, const Step& branch);

// The maximal subsequences of `rest` that can follow `path` together with `last`. With a branch go the steps that
// happen after it: `before(a, b)` says whether rest[a] happens before rest[b].
std::vector<Sequence> compatible_parts(Feasibility& judge, const Sequence& path, const Sequence& rest, const Step& last,
                                       const std::function<bool(std::size_t, std::size_t)>& before);

}  // namespace heddle::explore
