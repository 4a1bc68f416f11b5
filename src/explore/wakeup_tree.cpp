#include "explore/wakeup_tree.h"

namespace heddle::explore {

Weak classify(const Step& p, const std::vector<const Step*>& w, std::size_t& position) {
  for (std::size_t i = 0; i < w.size(); ++i) {
    if (w[i]->thread == p.thread) {
      position = i;
      return w[i]->choice == p.choice ? Weak::kInitial : Weak::kNeither;
    }
    if (trace::dependent(p, *w[i])) return Weak::kNeither;
  }
  return Weak::kIndependent;
}

bool WakeupForest::begins_with(WakeupIndex first, const Step& step) const {
  for (; first != kNoWakeup; first = nodes_[first].next_sibling)
    if (nodes_[first].step.thread == step.thread && nodes_[first].step.choice == step.choice) return true;
  return false;
}

bool WakeupForest::insert(WakeupIndex& first, std::vector<const Step*>& w, Rest rest, const Admits& admits) {
  WakeupIndex parent = kNoWakeup;  // `first` is then the list's head
  std::vector<const Step*> passed; // branches on the way that are not in w, then the steps of w met
  const auto admitted = [&](const Step& branch) {
    if (!admits || branch.op.kind < trace::OpKind::kBranch || branch.op.kind > trace::OpKind::kAssume) return true;
    passed.push_back(&branch);
    const bool yes = admits(passed, w);
    passed.pop_back();
    return yes;
  };
  while (true) {
    WakeupIndex child = parent == kNoWakeup ? first : nodes_[parent].first_child;
    if (child == kNoWakeup && parent != kNoWakeup) return false;  // a leaf: covered
    std::size_t position = 0;
    Weak relation = Weak::kNeither;
    for (; child != kNoWakeup; child = nodes_[child].next_sibling) {
      relation = classify(nodes_[child].step, w, position);
      if (relation == Weak::kInitial) break;
      if (relation == Weak::kIndependent && rest == Rest::kWhole && admitted(nodes_[child].step)) break;
    }
    if (child == kNoWakeup) break;
    if (admits) passed.push_back(&nodes_[child].step);
    if (relation == Weak::kInitial) w.erase(w.begin() + static_cast<std::ptrdiff_t>(position));
    if (w.empty()) return false;  // a prefix of what is there
    parent = child;
  }
  for (const Step* step : w) {
    const WakeupIndex node = allocate(*step);
    if (parent == kNoWakeup)
      append(first, node);
    else
      append(nodes_[parent].first_child, node);
    parent = node;
  }
  w.clear();
  return true;
}

void WakeupForest::graft(WakeupIndex& first, const std::vector<Step>& sequence) {
  WakeupIndex parent = kNoWakeup;
  for (const Step& step : sequence) {
    WakeupIndex child = parent == kNoWakeup ? first : nodes_[parent].first_child;
    while (child != kNoWakeup &&
           (nodes_[child].step.thread != step.thread || nodes_[child].step.choice != step.choice))
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
  const Step& step = nodes_[node].step;
  if (nodes_[node].first_child == kNoWakeup) return {{step}};
  for (WakeupIndex c = nodes_[node].first_child; c != kNoWakeup; c = nodes_[c].next_sibling) {
    for (std::vector<Step>& rest : sequences(c)) {
      rest.insert(rest.begin(), step);
      all.push_back(std::move(rest));
    }
  }
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
    nodes_.push_back({step});
    return static_cast<WakeupIndex>(nodes_.size() - 1);
  }
  const WakeupIndex node = free_.back();
  free_.pop_back();
  nodes_[node] = {step};
  return node;
}

void WakeupForest::append(WakeupIndex& first, WakeupIndex node) {
  WakeupIndex* link = &first;
  while (*link != kNoWakeup) link = &nodes_[*link].next_sibling;
  *link = node;
}

}  // namespace heddle::explore
