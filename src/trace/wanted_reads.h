// Walks that are to show certain pairs of a write and a read from it (the scheduler of Wolff et al. 2024, RFF).
//
// A pair is two places in the source, for one object. Who is about to read at the second what was not written at the
// first waits, as long as others can go on; and what was written there, or was there from the beginning, is not written
// over by others until it has been read. Among those that do not wait, the thread is drawn at random.
#pragma once

#include <vector>

#include "base/random.h"
#include "trace/dependence.h"
#include "trace/schedule.h"

namespace heddle::trace {

class WantedReads {
 public:
  void begin(const Tail& tail) {
    wanted_ = tail.wanted;
    objects_.clear();
  }

  ThreadId pick(ThreadSet candidates, const std::array<Step, kMaxThreads>& pending, Random& random) const {
    ThreadSet at_once;
    candidates.for_each([&](std::size_t t) {
      if (!waits(pending[t])) at_once.insert(t);
    });
    const ThreadSet from = at_once.empty() ? candidates : at_once;
    std::uint64_t skip = random.below(static_cast<std::uint64_t>(from.size()));
    ThreadId chosen = from.first_thread();
    from.for_each_thread([&](ThreadId t) {
      if (skip-- == 0) chosen = t;
    });
    return chosen;
  }

  void performed(const Step& step) {
    if (step.op.object == kNoObject || wanted_.empty()) return;
    const std::size_t i = step.op.object.index();
    if (i >= objects_.size()) objects_.resize(i + 1);
    Written& now = objects_[i];
    for (const ReadsFrom& pair : wanted_)
      if (pair.object == step.op.object && pair.read == step.where && pair.write == now.where) now.read = true;
    if (access_of(step.op.kind) == Access::kWrites) now = {step.where, false};
  }

 private:
  struct Written {
    std::uint32_t where = ReadsFrom::kNowhere;  // who has written last
    bool read = false;                          // as was wanted
  };

  bool waits(const Step& next) const {
    if (next.op.object == kNoObject) return false;
    const std::size_t i = next.op.object.index();
    const Written now = i < objects_.size() ? objects_[i] : Written{};
    bool wanted_here = false, found = false, kept = false;
    for (const ReadsFrom& pair : wanted_) {
      if (pair.object != next.op.object) continue;
      const bool is_there = pair.write == now.where;
      if (pair.read == next.where) {
        wanted_here = true;
        found = found || is_there;
      } else if (is_there && !now.read) {
        kept = true;
      }
    }
    return wanted_here ? !found : kept && access_of(next.op.kind) == Access::kWrites;
  }

  std::vector<ReadsFrom> wanted_;
  std::vector<Written> objects_;  // by id
};

}  // namespace heddle::trace
