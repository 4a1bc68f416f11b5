// Where the nodes of a drawn net stand.
//
// What a thread can do is a tree: a condition, the events that it leads to (alternatives, side by side), the conditions
// that each of them leaves, and so on. Each thread's tree is laid out as trees are (Reingold and Tilford, IEEE TSE
// 1981: subtrees as close to each other as their outlines allow, a parent over its children), threads beside each
// other. The row of a node is its depth in the whole net, so every arc goes down; an event that waits for another
// thread may stand far below its condition, and the column on the way there belongs to it. Hence no arc of a thread
// meets a box of its own thread.
#pragma once

#include <cstdint>
#include <vector>

#include "net/occurrence_net.h"

namespace heddle::net {

struct Point {
  double x = 0;
  double y = 0;
};

struct NodeSizes {
  std::vector<double> events;      // half the width of each box
  std::vector<double> conditions;  // how far each reaches to the right, with its label
};

inline constexpr double kRadius = 9;  // of a condition, and half the height of an event
inline constexpr double kRowHeight = 48;

class Layout {
 public:
  Layout(const OccurrenceNet& net, const NodeSizes& sizes);

  Point condition(PlaceId c) const { return conditions_[c.index()]; }
  Point event(TransitionId e) const { return events_[e.index()]; }
  // Is the arc from c to e one of the tree?
  bool in_tree(PlaceId c, TransitionId e) const { return parent_[e.index()] == c; }
  double width() const { return width_; }
  double height() const { return height_; }

 private:
  // How far a subtree reaches to both sides in each row, seen from its root.
  struct Side {
    double left = 0, right = 0;
    bool used = false;
  };
  using Outline = std::vector<Side>;

  struct Subtree {
    bool is_condition = true;
    std::uint32_t id = 0;
    double offset = 0;  // of the root from its parent's
  };

  std::uint32_t row(const Subtree& node) const;
  std::vector<Subtree> children(const Subtree& node) const;
  Outline place(Subtree& node, std::uint32_t from_row);
  void settle(const Subtree& node, double x);
  static double distance(const Outline& left, const Outline& right);
  static void join(Outline& into, const Outline& other, double offset);

  const OccurrenceNet& net_;
  const NodeSizes& sizes_;
  std::uint32_t rows_ = 0;
  std::vector<PlaceId> parent_;                        // by event: the condition of its own thread
  std::vector<std::vector<TransitionId>> followers_;   // by condition
  std::vector<std::vector<Subtree>> placed_children_;  // conditions first, then events
  std::vector<Point> conditions_, events_;
  double width_ = 0, height_ = 0;
};

}  // namespace heddle::net
