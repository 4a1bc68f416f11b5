// A depth-first search that stands still between two executions, as plain data: its path, and for every node on it what
// is still to be done there. Whoever has it can go on as if nothing had happened, in another process as well. It is
// what travels between the explorers of one search, and what a journal keeps (src/dist).
//
// A part of a search has a *floor*: the nodes below it (nearer to the root) belong to somebody else, who comes after it
// in depth-first order. It reverses races there in its copies of them, but takes no branch from them.
#pragma once

#include <vector>

#include "trace/operation.h"

namespace heddle::explore {

struct SavedNode {
  // Of optimal-dpor: the wakeup tree, by its paths in order.
  std::vector<std::vector<trace::Step>> wakeups;
  // Of algorithms with backtrack sets (tree.h).
  ThreadSet enabled, backtrack, done;
  ChoiceSet choices_left;
  std::uint32_t preemptions = 0;
  std::uint32_t siblings_tried = 0;
  bool awaits = false;
  // Of both: what was explored from here and sleeps from now on, beside what sleeps in the parent and is not woken.
  std::vector<trace::Step> explored;
  // Perhaps there is a branch to take.
  bool open = false;
  bool operator==(const SavedNode&) const = default;
};

struct SavedSearch {
  bool begun = false;             // else nothing has been run, and the rest is empty
  std::uint32_t floor = 0;        // branches are taken from this node on
  std::vector<trace::Step> path;  // path[i] was taken from nodes[i] the last time
  std::vector<SavedNode> nodes;   // up to the last one that is open, and to the floor at least
  // Of sampling (sampling.h), which has no path: the numbers of the samples that are left, and the longest execution so
  // far, if it matters.
  std::uint64_t next_sample = 0, end_sample = 0;
  std::uint64_t longest = 0;
  bool operator==(const SavedSearch&) const = default;

  bool is_open() const {
    for (std::size_t i = floor; i < nodes.size(); ++i)
      if (nodes[i].open) return true;
    return !begun || next_sample < end_sample;
  }
};

}  // namespace heddle::explore
