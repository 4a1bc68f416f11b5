// Sampling by reads-from feedback (Wolff et al. 2024, RFF; the walk itself is trace/wanted_reads.h).
//
// A bug is, as a rule, a few reads that find what nobody thought they would. So it is pairs of a write and a read, by
// their places in the source, that are looked for. A wish is a small set of such pairs. A walk with a wish that shows a
// pair, or a set of pairs, that no walk has shown before is kept; new wishes are kept ones with a pair more, a pair
// less, or another write for one of the reads. Those that were chosen least come first.
#pragma once

#include <set>
#include <vector>

#include "base/random.h"
#include "explore/strategy.h"

namespace heddle::explore {

class ReadsFromSampling : public Strategy {
 public:
  explicit ReadsFromSampling(std::uint64_t seed) : seed_(seed) {}
  bool next(Schedule& schedule) override;
  void learn(const Execution& execution) override;

 private:
  using Wish = std::vector<ReadsFrom>;
  struct Kept {
    Wish wish;
    std::uint64_t chosen = 0;
  };
  // Of one object, by their places in the source.
  struct Accesses {
    std::vector<std::uint32_t> writes{ReadsFrom::kNowhere};
    std::vector<std::uint32_t> reads;
    std::uint32_t last = ReadsFrom::kNowhere;  // write of the execution at hand
  };
  void mutate(Wish& wish, Random& random) const;
  void note_accesses(const Execution& execution);

  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;
  Wish wish_;  // of the execution under way
  std::vector<Kept> kept_;
  std::set<ReadsFrom> pairs_;      // seen
  std::set<std::uint64_t> sets_;   // of pairs, seen, by their hash
  std::vector<Accesses> objects_;  // by id
  std::vector<ObjectId> shared_;   // that are written and read
};

}  // namespace heddle::explore
