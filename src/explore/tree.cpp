#include "explore/tree.h"

#include <algorithm>

#include "trace/dependence.h"

namespace heddle::explore {

void BacktrackTree::grow(const Execution& execution) {
  // Node `fresh_` exists unless this is the first execution; its explored step is replaced.
  INVARIANT(execution.steps.size() > fresh_ || nodes_.empty());
  steps_.resize(fresh_);
  const auto length = static_cast<EventIndex>(execution.steps.size());
  for (EventIndex i = fresh_; i < length; ++i) {
    const Step& step = execution.steps[i];
    if (i == nodes_.size()) {
      push_node();
      Node& node = nodes_.back();
      if (i > 0) {
        node.awaits = opens_in_turn(steps_[i - 1]);
        const ThreadId previous = steps_[i - 1].thread;
        const bool preempted = i > 1 && steps_[i - 2].thread != previous && !nodes_[i - 1].awaits &&
                               nodes_[i - 1].enabled.contains(steps_[i - 2].thread);
        node.preemptions = nodes_[i - 1].preemptions + (preempted ? 1 : 0);
      }
    }
    Node& node = nodes_[i];
    node.enabled = step.enabled;
    node.backtrack.insert(step.thread);
    if (has_alternatives(step.op.kind) && !(i == fresh_ && next_alternative_)) {
      node.choices_left = step.set;
      node.choices_left.erase(step.choice);
    }
    steps_.push_back(step);
  }
  if (options_.preemptions) note_awaits(execution);
}

// A node at the end of the path, with what sleeps there.
void BacktrackTree::push_node() {
  Node node;
  node.sleep_begin = static_cast<std::uint32_t>(sleep_.size());
  if (!nodes_.empty() && options_.explored != Explored::kForgotten) {
    const Node& parent = nodes_.back();
    const Step& step = steps_[nodes_.size() - 1];
    for (std::uint32_t s = parent.sleep_begin; s < parent.sleep_end; ++s)
      if (!dependent(sleep_[s], step)) sleep_.push_back(Step(sleep_[s]));
  }
  node.sleep_end = static_cast<std::uint32_t>(sleep_.size());
  nodes_.push_back(node);
}

// Whose turns in vain were made at once, right after a step of theirs? (Without a pre-emption a thread goes on first,
// so this is known before it is left at that node.)
void BacktrackTree::note_awaits(const Execution& execution) {
  for (const trace::IdleTurn& turn : execution.idle_turns) {
    const auto of_thread = [&](const Step& step) { return step.thread == turn.thread; };
    if (turn.first == 0 || turn.first >= steps_.size() || !of_thread(steps_[turn.first - 1])) continue;
    const auto end = std::find_if_not(steps_.begin() + turn.first, steps_.end(), of_thread);
    if (std::none_of(end, steps_.end(), of_thread)) nodes_[turn.first].awaits = true;
  }
}

bool BacktrackTree::asleep(EventIndex i, ThreadId t) const {
  for (std::uint32_t s = nodes_[i].sleep_begin; s < nodes_[i].sleep_end; ++s)
    if (sleep_[s].thread == t) return true;
  return false;
}

EventIndex BacktrackTree::block_start(EventIndex i) const {
  while (i > 0 && steps_[i - 1].thread == steps_[i].thread && !nodes_[i].awaits) --i;
  return i;
}

// Threads that may be tried from node i without exceeding the pre-emption bound.
ThreadSet BacktrackTree::affordable(EventIndex i) const {
  const Node& node = nodes_[i];
  if (!options_.preemptions || i == 0) return node.enabled;
  const ThreadId running = steps_[i - 1].thread;
  if (node.awaits || !node.enabled.contains(running)) return node.enabled;
  return node.preemptions < *options_.preemptions ? node.enabled : ThreadSet::of(running.index());
}

// Threads to be explored from node i after the one that was taken there.
ThreadSet BacktrackTree::wanted(EventIndex i) const {
  const Node& node = nodes_[i];
  ThreadSet threads = (node.backtrack & affordable(i)) - node.done;
  threads.erase(steps_[i].thread);
  if (options_.explored == Explored::kSleep)
    ThreadSet(threads).for_each_thread([&](ThreadId t) {
      if (asleep(i, t)) threads.erase(t);
    });
  return threads;
}

bool BacktrackTree::next(Schedule& schedule) {
  schedule.tail.end_last = !options_.preemptions.has_value();
  if (!started_) {
    started_ = true;
    schedule.steps.clear();
    schedule.sleep.clear();
    schedule.fresh = 0;
    return true;
  }
  while (!nodes_.empty()) {
    const auto i = static_cast<EventIndex>(nodes_.size() - 1);
    Node& node = nodes_[i];
    const ThreadSet threads = wanted(i);
    if (node.choices_left.empty() && threads.empty()) {
      if (i <= floor_) return false;
      sleep_.resize(node.sleep_begin);
      nodes_.pop_back();
      steps_.pop_back();
      continue;
    }
    const Step taken = steps_[i];
    sleep_.resize(node.sleep_end);
    if (options_.explored != Explored::kForgotten) {
      sleep_.push_back(taken);
      node.sleep_end = static_cast<std::uint32_t>(sleep_.size());
    }
    if (!node.choices_left.empty()) {
      const auto choice = static_cast<std::uint16_t>(node.choices_left.first());
      node.choices_left.erase(choice);
      prepare(schedule, i, {taken.thread, choice});
      next_alternative_ = true;
      return true;
    }
    node.done.insert(taken.thread);
    prepare(schedule, i, {choose_sibling(options_.order, node.siblings, node.enabled, threads, i), kAnyChoice});
    return true;
  }
  return false;
}

void BacktrackTree::save(SavedSearch& saved) const {
  const auto open = [&](std::size_t i) {
    return !nodes_[i].choices_left.empty() || !wanted(static_cast<EventIndex>(i)).empty();
  };
  std::size_t size = nodes_.size();
  while (size > floor_ + 1 && !open(size - 1)) --size;
  saved = {.begun = started_, .floor = floor_, .path = {}, .nodes = {}};
  saved.path.assign(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(size));
  for (std::size_t i = 0; i < size; ++i) {
    const Node& node = nodes_[i];
    std::uint32_t s = node.sleep_begin;
    if (i > 0)
      for (std::uint32_t k = nodes_[i - 1].sleep_begin; k < nodes_[i - 1].sleep_end; ++k)
        s += !dependent(sleep_[k], steps_[i - 1]) ? 1 : 0;
    saved.nodes.push_back({.wakeups = {},
                           .enabled = node.enabled,
                           .backtrack = node.backtrack,
                           .done = node.done,
                           .choices_left = node.choices_left,
                           .preemptions = node.preemptions,
                           .siblings_tried = node.siblings.tried,
                           .awaits = node.awaits,
                           .explored = {},
                           .open = open(i)});
    if (options_.explored != Explored::kForgotten)
      saved.nodes.back().explored.assign(sleep_.begin() + s, sleep_.begin() + node.sleep_end);
  }
}

void BacktrackTree::resume(const SavedSearch& saved) {
  REQUIRE(nodes_.empty() && saved.path.size() == saved.nodes.size());
  started_ = saved.begun;
  floor_ = saved.floor;
  steps_ = saved.path;
  for (const SavedNode& from : saved.nodes) {
    push_node();
    Node& node = nodes_.back();
    node.enabled = from.enabled;
    node.backtrack = from.backtrack;
    node.done = from.done;
    node.choices_left = from.choices_left;
    node.preemptions = from.preemptions;
    node.siblings.tried = from.siblings_tried;
    node.awaits = from.awaits;
    sleep_.insert(sleep_.end(), from.explored.begin(), from.explored.end());
    node.sleep_end = static_cast<std::uint32_t>(sleep_.size());
  }
}

void BacktrackTree::prepare(Schedule& schedule, EventIndex i, Decision decision) {
  schedule.steps.resize(i + 1);
  for (EventIndex k = 0; k < i; ++k) schedule.steps[k] = {steps_[k].thread, steps_[k].choice};
  schedule.steps[i] = decision;
  schedule.fresh = i;
  schedule.sleep_rule = options_.explored == Explored::kPostponed ? SleepRule::kDelay : SleepRule::kStop;
  schedule.sleep.assign(sleep_.begin() + nodes_[i].sleep_begin, sleep_.begin() + nodes_[i].sleep_end);
  fresh_ = i;
  next_alternative_ = false;
}

}  // namespace heddle::explore
