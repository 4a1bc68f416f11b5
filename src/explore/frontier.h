// The frontier: what several explorers of one search share (Saarikivi et al. 2012 §IV in one machine's memory). Each
// explorer walks a subtree of its own; nodes that several subtrees hang from are *published* here, with their sleep
// sets and their wakeup trees.
//
// * Who has nothing to do asks for work; an explorer that notices publishes the path to its shallowest node that
//   still has a branch to explore. Anybody may take the first branch of a published node. It sleeps for all its
//   siblings that were started before, finished or still under way: what they cover need not be explored again.
// * A race found anywhere below a published node is reversed there under the lock, against the node's present sleep
//   set, exactly as in the sequential algorithm.
//
// Every class is met once in all subtrees together. What is lost is only that a branch under way can no longer be
// guided by what is found elsewhere: an execution may end asleep, and v must be judged as optimal_dpor.h says.
//
// Everything lives in one region of memory (for processes: mapped by all at the same address), and nothing is
// ever freed one by one: publishing is rare.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory_resource>
#include <span>
#include <vector>

#include "explore/wakeup_tree.h"

namespace heddle::explore {

class SpinLock {
 public:
  void lock() {
    while (flag_.exchange(true, std::memory_order_acquire))
      while (flag_.load(std::memory_order_relaxed)) __builtin_ia32_pause();
  }
  void unlock() { flag_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> flag_{false};
};

class Frontier {
 public:
  using NodeIndex = std::uint32_t;
  static constexpr NodeIndex kNone = 0xffffffffu;

  struct Node {
    NodeIndex parent;
    Step step;  // that leads here from the parent; unused in the root
    WakeupIndex wakeups = kNoWakeup;
    std::pmr::vector<Step> sleep;  // inherited, explored or being explored: what the next branch sleeps for
  };

  // A branch to explore. Everything empty: the whole search.
  struct Branch {
    std::vector<NodeIndex> nodes;              // from the root to the node it starts from
    std::vector<Step> path;                    // the steps between them
    std::vector<std::vector<Step>> sequences;  // the branch: its paths in the wakeup tree, in order
    std::vector<Step> sleep;                   // at the node
  };

  // Lives in `memory` of the given size, which must be zero-filled and is never given back before the frontier is.
  static Frontier* create(void* memory, std::size_t size, int explorers);

  // Somebody waits for work.
  bool hungry() const { return hungry_.load(std::memory_order_relaxed) > 0; }

  // Publishing: the child of `parent` (kNone: the root) reached by `step`.
  NodeIndex publish(NodeIndex parent, const Step& step, const std::vector<Step>& sleep,
                    const std::vector<std::vector<Step>>& sequences);

  // Inserts `v` at a published node unless `redundant(sleep)` says that it is asleep.
  template <class Redundant>
  void insert(NodeIndex node, std::vector<const Step*>& v, Rest rest, Redundant&& redundant) {
    lock_.lock();
    if (!redundant(nodes_[node].sleep) && forest_.insert(nodes_[node].wakeups, v, rest).added) mark_open(node);
    lock_.unlock();
  }

  // The next branch to explore, waiting for one if others are still at work. False: the search is over.
  bool take(Branch& branch);

  // The same for algorithms without a tree: a part of the search that can be explored by itself, in words of their own.
  // Empty: the whole search.
  void give(std::span<const std::byte> parcel);
  bool take(std::vector<std::byte>& parcel);

  // Ends the search for everybody (a budget is used up, a bug was found).
  void stop() { stopped_.store(true, std::memory_order_relaxed); }
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  // Executions of all explorers together, this one included.
  std::uint64_t count_execution() { return executions_.fetch_add(1, std::memory_order_relaxed) + 1; }

 private:
  Frontier(void* memory, std::size_t size, int explorers);
  void mark_open(NodeIndex node);
  bool take_now(Branch& branch);
  bool take_now(std::vector<std::byte>& parcel);
  template <class Part>
  bool wait_for(Part& part);

  SpinLock lock_;
  std::atomic<int> hungry_{0};
  std::atomic<bool> stopped_{false};
  std::atomic<std::uint64_t> executions_{0};
  const int explorers_;
  bool root_taken_ = false;
  std::pmr::monotonic_buffer_resource memory_;
  WakeupForest forest_;
  std::pmr::vector<Node> nodes_;
  std::pmr::vector<NodeIndex> open_;  // nodes that have a branch to take
  std::pmr::vector<std::pmr::vector<std::byte>> parcels_;
  std::size_t given_ = 0;  // of these, as many; the others are storage
};

}  // namespace heddle::explore
