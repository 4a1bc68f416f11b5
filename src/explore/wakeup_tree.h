// Wakeup trees: ordered trees of steps, each path from the root to a leaf a continuation that is still to be explored
// from a node of the search. What makes such a tree one (JACM 2017, Definition 6.1; checked with --check):
//
//   If u.w is a leaf and p a child of u that comes before the one w begins with, p is no weak initial of w.
//
// So what is explored along p leaves w open, and no leaf is explored in vain. Inserting a sequence w (section 6.2)
// keeps it so: walking down from the root, the first branch p is followed that is an initial of w (then p is taken out
// of w) or independent of all of it (then what is left of w is still to come after p); reaching a leaf means that w is
// covered already, and where no branch can be followed what is left of w becomes the last one.
//
// The steps are stored as they will happen, which trace/reversal.h works out in advance.
//
// Nodes live in one pool; a search keeps a list of children per node of its current path.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/assert.h"
#include "trace/dependence.h"

namespace heddle::explore {

using trace::Step;

using WakeupIndex = std::uint32_t;
inline constexpr WakeupIndex kNoWakeup = 0xffffffffu;

// How a step p stands to the sequence w from the same state.
enum class Weak : std::uint8_t {
  kInitial,      // p is w's first step of its thread and nothing in w before it is dependent with it
  kIndependent,  // p's thread is not in w and p is independent of all of w
  kNeither,
};
struct Relation {
  Weak weak;
  const Step* const* decided_by;  // the step of w; w's end if p is independent of all
};
inline Relation classify(const Step& p, std::span<const Step* const> w) {
  const Step* const* const end = w.data() + w.size();
  const Step* const* step = w.data();
  for (; step != end; ++step) {
    if ((*step)->thread == p.thread) return {(*step)->choice == p.choice ? Weak::kInitial : Weak::kNeither, step};
    if (trace::dependent(p, **step)) return {Weak::kNeither, step};
  }
  return {Weak::kIndependent, end};
}

class WakeupForest {
 public:
  // The links are next to what of the step is looked at on the way down.
  struct Node {
    WakeupIndex first_child = kNoWakeup;
    WakeupIndex next_sibling = kNoWakeup;
    Step step;
  };

  const Node& operator[](WakeupIndex i) const { return nodes_[i]; }

  // May a branch that w says nothing about come before w, after the steps passed on the way down? (concolic.h)
  using Admits = std::function<bool(const std::vector<const Step*>& passed, const std::vector<const Step*>& w)>;

  // What came of an insertion, and what it depended on: if w changes only after `furthest`, and its last step is
  // independent of what is new, then a way into it is there still, and what else w asks for is found from there. Unless
  // all of w counts.
  struct Insertion {
    bool added = false;
    bool all_counts = false;
    const Step* furthest = nullptr;
  };
  // Inserts w below the list that starts at `first`. Uses w up. Its steps but the last one must be in the order of
  // their addresses.
  Insertion insert(WakeupIndex& first, std::vector<const Step*>& w, const Admits& admits = nullptr) {
    return insert(first, w, admits, nullptr);
  }

  // Where the last insertion passed, for the next one into the same tree. Branches may have been added to it since, but
  // none been taken away.
  class Trail {
   public:
    void forget() { points_.clear(); }

   private:
    friend class WakeupForest;
    struct Point {
      WakeupIndex node;       // reached with the first steps of w, with one more at each point
      std::uint32_t depends;  // on so many steps of w, and on the last one
      ThreadSet unless;       // one of these is among the others
    };
    void go_back(const std::vector<const Step*>& w, std::size_t same);
    std::vector<Point> points_;
  };
  // The same, from where the trail leads. w begins with `same` steps of the last w, and ends with a step that depends
  // on the same steps as the last one's did.
  Insertion insert(WakeupIndex& first, std::vector<const Step*>& w, Trail& trail, std::size_t same) {
    trail.go_back(w, same);
    SLOW_INVARIANT(leads(trail, first, w));
    return insert(first, w, nullptr, &trail);
  }

  // Is there a branch of the list that begins with this step?
  bool begins_with(WakeupIndex first, const Step& step) const;

  // Takes the node out of the list (its children stay with it).
  void unlink(WakeupIndex& first, WakeupIndex node);
  // Adds a sequence step by step as it is, sharing what is the same; for moving trees.
  void graft(WakeupIndex& first, const std::vector<Step>& sequence);
  // All paths from the given node (not its siblings) to a leaf, in order.
  std::vector<std::vector<Step>> sequences(WakeupIndex node) const;
  // Gives back a node with all that is below it.
  void discard(WakeupIndex node);
  // Gives back a single node, whose children have been taken over.
  void release(WakeupIndex node);
  // Children of a node, to be taken over by its place in the search.
  WakeupIndex take_children(WakeupIndex node) {
    const WakeupIndex children = nodes_[node].first_child;
    nodes_[node].first_child = kNoWakeup;
    return children;
  }

 private:
  Insertion insert(WakeupIndex& first, std::vector<const Step*>& w, const Admits& admits, Trail* trail);
  // Does w pass the points of the trail from the root on?
  bool leads(const Trail& trail, WakeupIndex first, const std::vector<const Step*>& w) const;
  bool is_wakeup_tree(WakeupIndex first) const;
  WakeupIndex allocate(const Step& step);
  void append(WakeupIndex& first, WakeupIndex node);

  std::vector<Node> nodes_;
  std::vector<WakeupIndex> free_;
};

}  // namespace heddle::explore
