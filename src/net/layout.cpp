#include "net/layout.h"

#include <algorithm>
#include <map>

namespace heddle::net {
namespace {

constexpr double kBetween = 16, kBetweenThreads = 48, kMargin = 36;

}  // namespace

Layout::Layout(const OccurrenceNet& net, const NodeSizes& sizes)
    : net_(net),
      sizes_(sizes),
      parent_(net.events().size()),
      followers_(net.conditions().size()),
      placed_children_(net.conditions().size() + net.events().size()),
      conditions_(net.conditions().size()),
      events_(net.events().size()) {
  for (std::uint32_t e = 0; e < net.events().size(); ++e) {
    const NetEvent& event = net.events()[e];
    rows_ = std::max(rows_, 2 * net.depth(TransitionId(e)) + 3);
    // A thread that was woken has two conditions; the one that it waited in comes last.
    for (const PlaceId c : event.preset) {
      const NetCondition& condition = net.conditions()[c.index()];
      if (condition.kind == ConditionKind::kThread && condition.column == event.column) parent_[e] = c;
    }
    followers_[parent_[e].index()].push_back(TransitionId(e));
  }
  rows_ = std::max(rows_, 1u);
  // Roots: what is there from the start, and what an event of another thread leaves.
  std::map<std::uint32_t, std::vector<Subtree>> roots;
  for (std::uint32_t c = 0; c < net.conditions().size(); ++c) {
    const NetCondition& condition = net.conditions()[c];
    if (condition.initial || net.events()[condition.producer].column != condition.column)
      roots[condition.column].push_back({true, c});
  }
  double left = kMargin;
  for (auto& [column, trees] : roots) {
    Outline band(rows_);
    double right = 0, leftmost = 0;
    for (Subtree& tree : trees) {
      const Outline outline = place(tree, 0);
      tree.offset = distance(band, outline);
      join(band, outline, tree.offset);
    }
    for (const Side& side : band) {
      leftmost = std::min(leftmost, side.used ? side.left : 0);
      right = std::max(right, side.used ? side.right : 0);
    }
    for (const Subtree& tree : trees) settle(tree, left - leftmost + tree.offset);
    left += right - leftmost + kBetweenThreads;
  }
  width_ = left - kBetweenThreads + kMargin;
  height_ = 2 * kMargin + kRowHeight * (rows_ - 1);
}

std::uint32_t Layout::row(const Subtree& node) const {
  if (!node.is_condition) return 2 * net_.depth(TransitionId(node.id)) + 1;
  const NetCondition& condition = net_.conditions()[node.id];
  return condition.initial ? 0 : 2 * net_.depth(TransitionId(condition.producer)) + 2;
}

std::vector<Layout::Subtree> Layout::children(const Subtree& node) const {
  std::vector<Subtree> out;
  if (node.is_condition) {
    for (const TransitionId e : followers_[node.id]) out.push_back({false, e.value});
  } else {
    const NetEvent& event = net_.events()[node.id];
    for (const PlaceId c : event.postset)
      if (net_.conditions()[c.index()].column == event.column) out.push_back({true, c.value});
  }
  return out;
}

// Places what is below a node and returns its outline; the rows from `from_row` down to it are its as well.
Layout::Outline Layout::place(Subtree& node, std::uint32_t from_row) {
  const std::uint32_t own_row = row(node);
  std::vector<Subtree> below = children(node);
  Outline outline(rows_);
  for (Subtree& child : below) {
    const Outline part = place(child, own_row + 1);
    child.offset = distance(outline, part);
    join(outline, part, child.offset);
  }
  // An event stands over the condition of its thread, a condition over the middle of its alternatives.
  const double middle = below.empty()       ? 0
                        : node.is_condition ? (below.front().offset + below.back().offset) / 2
                                            : below.front().offset;
  for (Subtree& child : below) child.offset -= middle;
  for (Side& side : outline) {
    side.left -= middle;
    side.right -= middle;
  }
  const double half = node.is_condition ? kRadius : sizes_.events[node.id];
  outline[own_row] = {-half, node.is_condition ? sizes_.conditions[node.id] : half, true};
  for (std::uint32_t r = from_row; r < own_row; ++r) outline[r] = {-2, 2, true};
  placed_children_[node.is_condition ? node.id : net_.conditions().size() + node.id] = std::move(below);
  return outline;
}

void Layout::settle(const Subtree& node, double x) {
  (node.is_condition ? conditions_ : events_)[node.id] = {x, kMargin + kRowHeight * row(node)};
  for (const Subtree& child : placed_children_[node.is_condition ? node.id : net_.conditions().size() + node.id])
    settle(child, x + child.offset);
}

// How far to the right the second must go.
double Layout::distance(const Outline& left, const Outline& right) {
  double out = 0;
  for (std::size_t r = 0; r < left.size(); ++r)
    if (left[r].used && right[r].used) out = std::max(out, left[r].right + kBetween - right[r].left);
  return out;
}

void Layout::join(Outline& into, const Outline& other, double offset) {
  for (std::size_t r = 0; r < into.size(); ++r) {
    if (!other[r].used) continue;
    const Side moved{other[r].left + offset, other[r].right + offset, true};
    into[r] =
        into[r].used ? Side{std::min(into[r].left, moved.left), std::max(into[r].right, moved.right), true} : moved;
  }
}

}  // namespace heddle::net
