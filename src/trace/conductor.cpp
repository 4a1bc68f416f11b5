// The sampling tails: uniform random, PCT (Burckhardt et al. 2010) and POS (Yuan, Yang, Gu 2018). Two more have files
// of their own: uniform_walk.h and wanted_reads.h.
//
// PCT gives each thread a random high priority and always runs the highest; at depth-1 steps drawn in advance the
// running thread falls below all others, so a bug of depth d is hit with probability >= 1/(n k^(d-1)).
// POS draws a priority per *operation*, runs the highest, and redraws those that race with what ran, which
// samples partial orders far more evenly than a random walk.
#include "trace/conductor.h"

#include <algorithm>

namespace heddle::trace {
namespace {
// Fallen PCT priorities are below every initial one: 1 .. depth-1.
constexpr std::uint64_t kInitialPriority = 1ull << 32;
}  // namespace

void Conductor::begin_random() {
  const Tail& tail = schedule_->tail;
  random_ = Random(tail.seed);
  for (auto& p : priority_) p = kInitialPriority + (random_.next() >> 33);
  change_points_.clear();
  if (tail.kind == TailKind::kUniform) uniform_walk_.begin(tail);
  if (tail.kind == TailKind::kReadsFrom) wanted_reads_.begin(tail);
  if (tail.kind == TailKind::kPct) {
    for (std::uint32_t i = 1; i < tail.depth; ++i)
      change_points_.push_back(static_cast<std::uint32_t>(random_.below(std::max(1u, tail.length))));
  }
}

// Those that do not give way themselves; or else who comes next in turn, so that nobody is left out.
ThreadSet Conductor::others_than_current(ThreadSet candidates) const {
  ThreadSet in_earnest, later;
  candidates.for_each_thread([&](ThreadId t) {
    if (!gives_way(t) && !ends_process(t)) in_earnest.insert(t);
    if (t > current_ && !ends_process(t)) later.insert(t);
  });
  return !in_earnest.empty() ? in_earnest : !later.empty() ? later : candidates;
}

ThreadId Conductor::pick_random(ThreadSet candidates) {
  if (schedule_->tail.kind == TailKind::kRandom) {
    std::uint64_t skip = random_.below(static_cast<std::uint64_t>(candidates.size()));
    ThreadId chosen = candidates.first_thread();
    candidates.for_each_thread([&](ThreadId t) {
      if (skip-- == 0) chosen = t;
    });
    return chosen;
  }
  if (schedule_->tail.kind == TailKind::kUniform) return uniform_walk_.pick(candidates, live_, pending_, random_);
  if (schedule_->tail.kind == TailKind::kReadsFrom) return wanted_reads_.pick(candidates, pending_, random_);
  const auto highest = [&] {
    ThreadId best = candidates.first_thread();
    candidates.for_each_thread([&](ThreadId t) {
      if (priority_[t.index()] > priority_[best.index()]) best = t;
    });
    return best;
  };
  ThreadId best = highest();
  if (schedule_->tail.kind == TailKind::kPct) {
    for (std::size_t i = 0; i < change_points_.size(); ++i) {
      if (change_points_[i] != position_) continue;
      priority_[best.index()] = change_points_.size() - i;
      best = highest();
    }
  }
  return best;
}

ThreadId Conductor::leftmost(ThreadSet candidates) const {
  ThreadId first = kNoThread;
  candidates.for_each_thread([&](ThreadId t) {
    const OpKind kind = pending_[t.index()].op.kind;
    if (first == kNoThread && (kind == OpKind::kTimeout || kind == OpKind::kWaitRelease)) first = t;
  });
  return first == kNoThread ? candidates.first_thread() : first;
}

ThreadId Conductor::wished(ThreadSet candidates) {
  while (wish_ < schedule_->tail.wishes.size())
    if (const ThreadId t = schedule_->tail.wishes[wish_++]; candidates.contains(t) && !ends_process(t)) return t;
  return kNoThread;
}

std::uint16_t Conductor::pick_random_choice(const Step& p) {
  const SmallSet awake = awake_choices(p);
  const SmallSet from = awake.empty() ? p.set : awake;
  std::uint64_t skip = random_.below(static_cast<std::uint64_t>(from.size()));
  std::uint16_t chosen = 0;
  from.for_each([&](std::size_t c) {
    if (skip-- == 0) chosen = static_cast<std::uint16_t>(c);
  });
  return chosen;
}

void Conductor::note_sampled(const Step& ran) {
  if (schedule_->tail.kind == TailKind::kPos) redraw_priorities(ran);
  if (schedule_->tail.kind == TailKind::kUniform) uniform_walk_.performed(ran);
  if (schedule_->tail.kind == TailKind::kReadsFrom) wanted_reads_.performed(ran);
}

void Conductor::redraw_priorities(const Step& ran) {
  live_.for_each([&](std::size_t t) {
    if (ThreadId(static_cast<std::uint16_t>(t)) != ran.thread && dependent(pending_[t], ran))
      priority_[t] = random_.next();
  });
}

}  // namespace heddle::trace
