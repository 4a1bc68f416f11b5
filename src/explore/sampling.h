// Sampling: no tree, every execution is drawn anew. Execution k uses the seed combined with k, so a single one
// can be drawn again. Never exhausted. The tails themselves are in trace/conductor.cpp. Several explorers draw
// samples of different numbers, hence with different seeds; what one explorer would draw they draw together.
#pragma once

#include <algorithm>

#include "base/random.h"
#include "explore/strategy.h"

namespace heddle::explore {

inline void draw_anew(Schedule& schedule, TailKind kind, std::uint64_t seed) {
  schedule.steps.clear();
  schedule.sleep.clear();
  schedule.fresh = 0;
  schedule.tail.kind = kind;
  schedule.tail.seed = seed;
}

class Sampling : public Strategy {
 public:
  explicit Sampling(Tail tail) : tail_(tail) {}
  bool next(Schedule& schedule) override {
    if (drawn_ == end_) return false;
    schedule.tail = tail_;
    draw_anew(schedule, tail_.kind, combine(tail_.seed, drawn_++));
    return true;
  }
  // PCT draws its change points from the length of an execution: the longest seen so far.
  void learn(const Execution& execution) override {
    longest_ = std::max(longest_, execution.steps.size());
    tail_.length = static_cast<std::uint32_t>(longest_);
  }
  bool save(SavedSearch& saved) const override {
    const bool matters = tail_.kind == TailKind::kPct;
    saved = {.begun = true, .next_sample = drawn_, .end_sample = end_, .longest = matters ? longest_ : 0};
    return true;
  }
  bool resume(const SavedSearch& saved) override {
    if (!saved.begun) return true;
    drawn_ = saved.next_sample;
    end_ = saved.end_sample;
    if (saved.longest == 0) return true;
    longest_ = saved.longest;
    tail_.length = static_cast<std::uint32_t>(longest_);
    return true;
  }

 private:
  Tail tail_;
  std::uint64_t drawn_ = 0, end_ = ~std::uint64_t{0};
  std::size_t longest_ = 1;
};

}  // namespace heddle::explore
