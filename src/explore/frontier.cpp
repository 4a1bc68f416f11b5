#include "explore/frontier.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <new>

namespace heddle::explore {

Frontier* Frontier::create(void* memory, std::size_t size, int explorers) {
  REQUIRE(size > sizeof(Frontier) + (1u << 20));
  return new (memory) Frontier(static_cast<char*>(memory) + sizeof(Frontier), size - sizeof(Frontier), explorers);
}

Frontier::Frontier(void* memory, std::size_t size, int explorers)
    : explorers_(explorers),
      memory_(memory, size, std::pmr::null_memory_resource()),
      forest_(&memory_),
      nodes_(&memory_),
      open_(&memory_),
      parcels_(&memory_) {}

Frontier::NodeIndex Frontier::publish(NodeIndex parent, const Step& step, const std::vector<Step>& sleep,
                                      const std::vector<std::vector<Step>>& sequences) {
  lock_.lock();
  const auto index = static_cast<NodeIndex>(nodes_.size());
  nodes_.push_back({parent, step, kNoWakeup, std::pmr::vector<Step>(sleep.begin(), sleep.end(), &memory_)});
  for (const auto& sequence : sequences) forest_.graft(nodes_[index].wakeups, sequence);
  if (!sequences.empty()) mark_open(index);
  lock_.unlock();
  return index;
}

void Frontier::mark_open(NodeIndex node) {
  if (std::find(open_.begin(), open_.end(), node) == open_.end()) open_.push_back(node);
}

bool Frontier::take(Branch& branch) { return wait_for(branch); }

bool Frontier::take(std::vector<std::byte>& parcel) { return wait_for(parcel); }

void Frontier::give(std::span<const std::byte> parcel) {
  lock_.lock();
  if (given_ == parcels_.size()) parcels_.emplace_back();
  parcels_[given_++].assign(parcel.begin(), parcel.end());
  lock_.unlock();
}

bool Frontier::take_now(std::vector<std::byte>& parcel) {
  parcel.clear();
  if (!root_taken_) {
    root_taken_ = true;
    return true;
  }
  if (given_ == 0) return false;
  const std::pmr::vector<std::byte>& last = parcels_[--given_];
  parcel.assign(last.begin(), last.end());
  return true;
}

template <class Part>
bool Frontier::wait_for(Part& part) {
  hungry_.fetch_add(1, std::memory_order_relaxed);
  while (!stopped()) {
    lock_.lock();
    const bool got = take_now(part);
    if (got) hungry_.fetch_sub(1, std::memory_order_relaxed);
    const bool over = !got && hungry_.load(std::memory_order_relaxed) == explorers_;
    lock_.unlock();
    if (got) return true;
    if (over) return false;
    for (int i = 0; i < 200; ++i) __builtin_ia32_pause();
    syscall(SYS_sched_yield);  // not sched_yield(), which the native runtime replaces
  }
  return false;
}

bool Frontier::take_now(Branch& branch) {
  branch = {};
  if (!root_taken_) {
    root_taken_ = true;
    return true;
  }
  if (open_.empty()) return false;
  // The shallowest node has the largest subtrees; nodes are published from the root down.
  const auto place = std::min_element(open_.begin(), open_.end());
  const NodeIndex index = *place;
  Node& node = nodes_[index];
  const WakeupIndex first = node.wakeups;
  forest_.unlink(node.wakeups, first);
  branch.sequences = forest_.sequences(first);
  branch.sleep.assign(node.sleep.begin(), node.sleep.end());
  node.sleep.push_back(forest_[first].step);  // being explored from now on
  forest_.discard(first);
  if (node.wakeups == kNoWakeup) open_.erase(place);
  for (NodeIndex i = index; i != kNone; i = nodes_[i].parent) {
    branch.nodes.push_back(i);
    if (nodes_[i].parent != kNone) branch.path.push_back(nodes_[i].step);
  }
  std::reverse(branch.nodes.begin(), branch.nodes.end());
  std::reverse(branch.path.begin(), branch.path.end());
  return true;
}

}  // namespace heddle::explore
