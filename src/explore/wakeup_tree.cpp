#include "explore/wakeup_tree.h"

#include <algorithm>

namespace heddle::explore {

bool WakeupForest::begins_with(WakeupIndex first, const Step& step) const {
  for (; first != kNoWakeup; first = nodes_[first].next_sibling)
    if (nodes_[first].step.thread == step.thread && nodes_[first].step.choice == step.choice) return true;
  return false;
}

// A branch that was passed over as the last step depends on it, and nothing before, is passed over again if its thread
// is not among the new steps: one of them or the last depends on it.
void WakeupForest::Trail::go_back(const std::vector<const Step*>& w, std::size_t same) {
  while (!points_.empty() && points_.back().depends > same) points_.pop_back();
  ThreadSet others;
  for (std::size_t i = same; i + 1 < w.size(); ++i) others.insert(w[i]->thread);
  while (!points_.empty() && !(points_.back().unless & others).empty()) points_.pop_back();
}

bool WakeupForest::leads(const Trail& trail, WakeupIndex first, const std::vector<const Step*>& w) const {
  std::span<const Step* const> left(w);
  for (const Trail::Point& point : trail.points_) {
    Weak weak = Weak::kNeither;
    for (; first != kNoWakeup; first = nodes_[first].next_sibling) {
      weak = classify(nodes_[first].step, left).weak;
      if (weak == Weak::kInitial || (weak == Weak::kIndependent)) break;
    }
    if (first != point.node || weak != Weak::kInitial || nodes_[first].step.thread != left[0]->thread) return false;
    left = left.subspan(1);
    first = nodes_[first].first_child;
  }
  return true;
}

WakeupForest::Insertion WakeupForest::insert(WakeupIndex& first, std::vector<const Step*>& w, const Admits& admits,
                                             Trail* trail) {
  Insertion result;
  const Step** begin = w.data();  // of what is left of w
  const Step* const* const end = begin + w.size();
  const Step* const last = w.back();
  WakeupIndex parent = kNoWakeup;  // `first` is then the list's head
  Trail::Point point{kNoWakeup, 0, {}};
  if (trail && !trail->points_.empty()) {
    point = trail->points_.back();
    parent = point.node;
    result.furthest = begin[point.depends - 1];
    result.all_counts = !point.unless.empty();
    begin += trail->points_.size();
  }
  const auto note = [&](const Step& p, const Relation& relation) {
    if (relation.decided_by < end - 1) {
      result.furthest = std::max(result.furthest, *relation.decided_by);
      point.depends = std::max(point.depends, static_cast<std::uint32_t>(relation.decided_by + 1 - w.data()));
      return;
    }
    if (relation.weak != Weak::kInitial || p.op.kind != last->op.kind || p.op.object != last->op.object)
      result.all_counts = true;
    point.unless.insert(p.thread);
  };
  std::vector<const Step*> passed;  // branches on the way that are not in w, then the steps of w met
  const auto admitted = [&](const Step& branch) {
    if (!admits || !trace::is_on_input(branch.op.kind)) return true;
    passed.push_back(&branch);
    const bool yes = admits(passed, std::vector<const Step*>(static_cast<const Step* const*>(begin), end));
    passed.pop_back();
    return yes;
  };
  while (true) {
    WakeupIndex child = parent == kNoWakeup ? first : nodes_[parent].first_child;
    if (child == kNoWakeup && parent != kNoWakeup) return result;  // a leaf: covered
    Relation relation{Weak::kNeither, end};
    for (; child != kNoWakeup; child = nodes_[child].next_sibling) {
      const Step& p = nodes_[child].step;
      relation = classify(p, {begin, end});
      note(p, relation);
      if (relation.weak == Weak::kInitial) break;
      if (relation.weak == Weak::kIndependent && admitted(p)) break;
    }
    if (child == kNoWakeup) break;
    if (admits) passed.push_back(&nodes_[child].step);
    if (relation.decided_by != begin) trail = nullptr;  // it leads on only while w is met in its order
    if (relation.weak == Weak::kInitial) {
      // It is mostly near the beginning, so those before it move up.
      for (const Step** step = begin + (relation.decided_by - begin); step != begin; --step) *step = step[-1];
      if (++begin == end) return result;  // a prefix of what is there
      if (trail) trail->points_.push_back({child, point.depends, point.unless});
    }
    parent = child;
  }
  if (end - begin > 1) result.furthest = std::max(result.furthest, end[-2]);
  if (end[-1] != last) result.furthest = std::max(result.furthest, end[-1]);  // `last` was met on the way
  for (; begin != end; ++begin) {
    const WakeupIndex node = allocate(**begin);
    append(parent == kNoWakeup ? first : nodes_[parent].first_child, node);
    parent = node;
  }
  result.added = true;
  SLOW_INVARIANT(admits || is_wakeup_tree(first));
  return result;
}

// By the definition, for all leaves below the list that starts at `first`.
bool WakeupForest::is_wakeup_tree(WakeupIndex first) const {
  std::vector<Step> before;
  for (; first != kNoWakeup; first = nodes_[first].next_sibling) {
    for (const std::vector<Step>& sequence : sequences(first)) {
      std::vector<const Step*> w;
      for (const Step& step : sequence) w.push_back(&step);
      for (const Step& p : before)
        if (classify(p, w).weak != Weak::kNeither) return false;
    }
    before.push_back(nodes_[first].step);
    if (!is_wakeup_tree(nodes_[first].first_child)) return false;
  }
  return true;
}

void WakeupForest::graft(WakeupIndex& first, const std::vector<Step>& sequence) {
  WakeupIndex parent = kNoWakeup;
  for (const Step& step : sequence) {
    WakeupIndex child = parent == kNoWakeup ? first : nodes_[parent].first_child;
    while (child != kNoWakeup && (nodes_[child].step.thread != step.thread || nodes_[child].step.choice != step.choice))
      child = nodes_[child].next_sibling;
    if (child == kNoWakeup) {
      child = allocate(step);
      append(parent == kNoWakeup ? first : nodes_[parent].first_child, child);
    }
    parent = child;
  }
}

std::vector<std::vector<Step>> WakeupForest::sequences(WakeupIndex node) const {
  std::vector<std::vector<Step>> all;
  std::vector<Step> way;
  const auto walk = [&](auto&& self, WakeupIndex at) -> void {
    way.push_back(nodes_[at].step);
    if (nodes_[at].first_child == kNoWakeup) all.push_back(way);
    for (WakeupIndex c = nodes_[at].first_child; c != kNoWakeup; c = nodes_[c].next_sibling) self(self, c);
    way.pop_back();
  };
  walk(walk, node);
  return all;
}

void WakeupForest::discard(WakeupIndex node) {
  for (WakeupIndex c = nodes_[node].first_child; c != kNoWakeup;) {
    const WakeupIndex following = nodes_[c].next_sibling;
    discard(c);
    c = following;
  }
  release(node);
}

void WakeupForest::unlink(WakeupIndex& first, WakeupIndex node) {
  WakeupIndex* link = &first;
  while (*link != node) link = &nodes_[*link].next_sibling;
  *link = nodes_[node].next_sibling;
  nodes_[node].next_sibling = kNoWakeup;
}

void WakeupForest::release(WakeupIndex node) { free_.push_back(node); }

WakeupIndex WakeupForest::allocate(const Step& step) {
  if (free_.empty()) {
    nodes_.push_back({kNoWakeup, kNoWakeup, step});
    return static_cast<WakeupIndex>(nodes_.size() - 1);
  }
  const WakeupIndex node = free_.back();
  free_.pop_back();
  nodes_[node] = {kNoWakeup, kNoWakeup, step};
  return node;
}

void WakeupForest::append(WakeupIndex& first, WakeupIndex node) {
  WakeupIndex* link = &first;
  while (*link != kNoWakeup) link = &nodes_[*link].next_sibling;
  *link = node;
}

}  // namespace heddle::explore
