// Sampling by selectively uniform random walks (Zhao et al. 2025, SURW; the walk itself is trace/uniform_walk.h).
//
// For each execution one of the objects at which threads meet is drawn, and the steps on it are what is interleaved
// uniformly; in one of four, all steps are. How many steps each thread has is what it had in the executions that were
// looked at: the first ones, and then ever fewer, as it costs more than a small program.
#pragma once

#include <vector>

#include "explore/strategy.h"

namespace heddle::explore {

class SelectiveSampling : public Strategy {
 public:
  explicit SelectiveSampling(std::uint64_t seed) : seed_(seed) {}
  bool next(Schedule& schedule) override;
  void learn(const Execution& execution) override;

 private:
  using Weights = std::vector<std::uint32_t>;  // by thread
  struct Profile {
    Weights steps;
    bool changes = false;  // somebody changes it
    bool shared = false;   // in `shared_`
  };
  void count(const Execution& execution);
  void add_started(const Execution& execution, Weights& steps) const;

  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;
  Profile all_;
  std::vector<Profile> objects_;  // by id
  std::vector<ObjectId> shared_;  // at which several threads meet
};

}  // namespace heddle::explore
