// Selectively uniform random walks (Zhao et al. 2025, SURW).
//
// A walk that draws one of the threads at each step finds some interleavings far more often than others: of two threads
// with one and ten steps, the one step comes first in half of all walks, and last in one of a thousand. If thread t has
// n(t) steps left, just n(t) of sum n interleavings in each begin with t; drawn with that weight, all are equally
// likely.
//
// There are too many of them for that to help. So only some steps count, those on one object that threads meet at
// (the schedule's tail says which one, and how many steps there each thread is likely to have). Who is to do the next
// of them is drawn in advance, by weight; others wait where they are about to do one, and all else goes on at random.
// What a thread starts counts as its own until it is started, so that late threads are not late in every walk.
#pragma once

#include <array>

#include "base/random.h"
#include "trace/schedule.h"

namespace heddle::trace {

class UniformWalk {
 public:
  void begin(const Tail& tail) {
    selected_ = tail.selected;
    intended_ = kNoThread;
    left_.fill(0);
    for (std::size_t t = 0; t < tail.weights.size() && t < left_.size(); ++t) left_[t] = tail.weights[t];
  }

  // `pending`: what each of the live threads is about to do.
  ThreadId pick(ThreadSet candidates, ThreadSet live, const std::array<Step, kMaxThreads>& pending, Random& random) {
    if (intended_ == kNoThread || !live.contains(intended_)) intended_ = draw(live, pending, random);
    ThreadSet free;
    candidates.for_each([&](std::size_t t) {
      if (t == intended_.index() || !counts(pending[t])) free.insert(t);
    });
    if (free.empty()) return intended_ = draw(candidates, pending, random);  // who was drawn is blocked
    return element(free, random.below(static_cast<std::uint64_t>(free.size())));
  }

  void performed(const Step& step) {
    std::uint32_t& left = left_[step.thread.index()];
    if (counts(step)) {
      left -= left > 0;
      if (step.thread == intended_) intended_ = kNoThread;
    }
    if (step.op.kind == OpKind::kSpawn) left -= std::min(left, left_[step.op.peer.index()]);
  }

 private:
  bool counts(const Step& step) const { return selected_ == kNoObject || step.op.object == selected_; }

  // Who is about to do one has at least that one left.
  std::uint64_t weight(std::size_t t, const Step& next) const { return std::max(left_[t], counts(next) ? 1u : 0u); }

  ThreadId draw(ThreadSet from, const std::array<Step, kMaxThreads>& pending, Random& random) const {
    std::uint64_t sum = 0;
    from.for_each([&](std::size_t t) { sum += weight(t, pending[t]); });
    if (sum == 0) return element(from, random.below(static_cast<std::uint64_t>(from.size())));
    std::uint64_t skip = random.below(sum);
    ThreadId drawn = kNoThread;
    from.for_each_thread([&](ThreadId t) {
      if (drawn != kNoThread) return;
      const std::uint64_t w = weight(t.index(), pending[t.index()]);
      if (skip < w) drawn = t;
      skip -= w;
    });
    return drawn;
  }

  static ThreadId element(ThreadSet set, std::uint64_t skip) {
    ThreadId chosen = set.first_thread();
    set.for_each_thread([&](ThreadId t) {
      if (skip-- == 0) chosen = t;
    });
    return chosen;
  }

  std::array<std::uint32_t, kMaxThreads> left_{};  // steps that count, of the thread and of those that it will start
  ObjectId selected_ = kNoObject;                  // steps on it count; none: all do
  ThreadId intended_ = kNoThread;                  // who does the next of them
};

}  // namespace heddle::trace
