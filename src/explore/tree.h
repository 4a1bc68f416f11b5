// The search tree of the backtracking algorithms, of which only the current path is kept: per node (state) the
// threads enabled there, those to be explored (backtrack set), those that have been (done), and the sleep set.
// An algorithm calls grow() with a finished execution, adds backtrack points, and takes the next schedule.
//
// Sleep sets follow Godefroid (Saarikivi et al. 2012 §IV-D): a step explored from a node sleeps in the node's later
// children until something dependent runs. Sleeping steps are stored as they happened, so independence is exact.
//
// Operations with alternatives (signal, choose): when a thread's step has some, all of them are explored from the
// node, one after the other, before the next thread's.
#pragma once

#include <optional>
#include <vector>

#include "explore/search_order.h"
#include "explore/strategy.h"

namespace heddle::explore {

// What happens to steps that were explored from a node when a later child of it is explored.
enum class Explored : std::uint8_t {
  kForgotten,
  kSleep,      // they sleep: not explored again until something dependent has run
  kPostponed,  // they are delayed likewise, but run if nobody else can (race-flip)
};

struct TreeOptions {
  Explored explored = Explored::kForgotten;
  std::optional<std::uint32_t> preemptions;
  SearchOrder order;
};

class BacktrackTree {
 public:
  explicit BacktrackTree(TreeOptions options) : options_(options) {}

  // Takes over the new part of an execution that followed the last schedule. Nodes are created with the executed
  // thread as their backtrack set.
  void grow(const Execution& execution);

  // Index of the first node/step that the last execution added.
  EventIndex fresh() const { return fresh_; }
  EventIndex size() const { return static_cast<EventIndex>(nodes_.size()); }

  ThreadSet enabled(EventIndex i) const { return nodes_[i].enabled; }
  ThreadSet backtrack(EventIndex i) const { return nodes_[i].backtrack; }
  bool asleep(EventIndex i, ThreadId t) const;
  bool sleep_sets() const { return options_.explored == Explored::kSleep; }

  // Adds t to the backtrack set of node i, the way Saarikivi et al. 2012 does: every enabled thread if t is not enabled
  // there. A thread that sleeps there is not explored; who uses sleep sets must see to what it stood for
  // (source_set.h).
  void add(EventIndex i, ThreadId t) {
    if (enabled(i).contains(t))
      add_only(i, t);
    else
      add_all(i);
  }
  void add_only(EventIndex i, ThreadId t) { nodes_[i].backtrack.insert(t); }
  void add_all(EventIndex i) { nodes_[i].backtrack = nodes_[i].backtrack | nodes_[i].enabled; }

  // Will node i be left again by a thread that has not been explored from it?
  bool waiting(EventIndex i) const {
    ThreadSet left = nodes_[i].backtrack - nodes_[i].done;
    left.erase(steps_[i].thread);
    return !left.empty();
  }

  // The next schedule in depth-first order, or false if every backtrack set is done.
  bool next(Schedule& schedule);

  // The search as data, and back (saved_search.h).
  void save(SavedSearch& saved) const;
  void resume(const SavedSearch& saved);

  // Start of the run of steps of one thread that contains step i, or where it could be left for nothing since.
  EventIndex block_start(EventIndex i) const;

 private:
  struct Node {
    ThreadSet enabled;
    ThreadSet backtrack;
    ThreadSet done;
    ChoiceSet choices_left;         // of the thread being explored
    std::uint32_t sleep_begin = 0;  // the node's sleep set is sleep_[sleep_begin .. sleep_end)
    std::uint32_t sleep_end = 0;
    std::uint32_t preemptions = 0;  // in the steps before this node
    bool awaits = false;            // who ran before it would look in vain, or has just opened a barrier that others
                                    // might have opened as well: to leave it there costs nothing
    SiblingCounter siblings;
  };

  void push_node();
  ThreadSet wanted(EventIndex i) const;
  void note_awaits(const Execution& execution);
  ThreadSet affordable(EventIndex i) const;
  void prepare(Schedule& schedule, EventIndex i, Decision decision);

  TreeOptions options_;
  EventIndex fresh_ = 0;
  EventIndex floor_ = 0;  // nodes before it are not ours
  bool started_ = false;
  bool next_alternative_ = false;  // the schedule tries another alternative of the same thread's step
  std::vector<Node> nodes_;
  std::vector<Step> steps_;  // steps_[i] was taken from nodes_[i]
  std::vector<Step> sleep_;  // all nodes' sleep sets, stacked
};

}  // namespace heddle::explore
