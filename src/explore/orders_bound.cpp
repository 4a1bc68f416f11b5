#include "explore/orders_bound.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "trace/dependence.h"

namespace heddle::explore {
namespace {

using namespace trace;

using StepsBefore = std::vector<std::uint32_t>;  // by thread: how many of its steps are before

// A step on an object, and the clock that its thread had.
struct Use {
  const Step* step;
  std::uint32_t ordinal;  // among the steps of its thread, from 1
  std::uint32_t clock;
};

// Of several that could be taken in any order, a lock is the one that is taken.
bool decides(OpKind kind) {
  return kind != OpKind::kRelease && kind != OpKind::kSharedRelease && kind != OpKind::kWaitRelease;
}

class Bound {
 public:
  Bound(const Execution& execution, double enough) : threads_(execution.threads), enough_(enough) {
    clocks_.emplace_back(threads_, 0);
    current_.assign(threads_, 0);
    done_.assign(threads_, 0);
    others_ = static_cast<std::int64_t>(threads_) - 1;
    for (const Step& step : execution.steps) others_ -= step.op.kind == OpKind::kSpawn ? 1 : 0;
    for (const Step& step : execution.steps) take(step);
  }

  double log2() const {
    double bits = 0;
    for (const std::vector<Use>& uses : objects_) {
      bits += shuffles(uses);
      if (bits > enough_) break;
    }
    return bits;
  }

 private:
  // Clocks change where threads start and join others, and nowhere else.
  void take(const Step& step) {
    const std::size_t t = step.thread.index();
    ++done_[t];
    if (step.op.object != kNoObject && others_ > 0) {
      const std::size_t object = step.op.object.index();
      if (object >= objects_.size()) objects_.resize(object + 1);
      if (decides(step.op.kind)) objects_[object].push_back({&step, done_[t], current_[t]});
    }
    if (step.op.kind != OpKind::kSpawn && step.op.kind != OpKind::kJoin) return;
    const std::size_t peer = step.op.peer.index();
    if (peer >= threads_) return;
    const bool starts = step.op.kind == OpKind::kSpawn;
    others_ += starts ? 1 : -1;
    const std::size_t from = starts ? t : peer, to = starts ? peer : t;
    StepsBefore clock = clocks_[current_[to]];
    for (std::size_t i = 0; i < threads_; ++i) clock[i] = std::max(clock[i], clocks_[current_[from]][i]);
    clock[from] = done_[from];
    clocks_.push_back(std::move(clock));
    current_[to] = static_cast<std::uint32_t>(clocks_.size() - 1);
  }

  bool before(const Use& a, const Use& b) const { return clocks_[b.clock][a.step->thread.index()] >= a.ordinal; }

  bool free(const Use& a, const Use& b) const {
    return a.step->thread != b.step->thread && dependent_on_one_object(a.step->op.kind, b.step->op.kind) &&
           !before(a, b) && !before(b, a);
  }

  // Of the steps that some other thread's could come before or after.
  double shuffles(const std::vector<Use>& uses) const {
    StepsBefore counts(threads_, 0);
    double all = 0;
    for (const Use& use : uses) {
      if (std::ranges::none_of(uses, [&](const Use& other) { return free(use, other); })) continue;
      ++counts[use.step->thread.index()];
      ++all;
    }
    double bits = std::lgamma(all + 1);
    for (const std::uint32_t count : counts) bits -= std::lgamma(count + 1.0);
    return bits / std::numbers::ln2;
  }

  std::size_t threads_;
  double enough_;
  std::int64_t others_ = 0;  // threads that are there beside one
  std::vector<StepsBefore> clocks_;
  std::vector<std::uint32_t> current_;  // by thread: its clock
  StepsBefore done_;
  std::vector<std::vector<Use>> objects_;
};

}  // namespace

double log2_of_orders(const Execution& execution, double enough) { return Bound(execution, enough).log2(); }

}  // namespace heddle::explore
