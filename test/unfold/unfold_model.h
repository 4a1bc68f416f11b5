// Unfolds a model file and keeps what came of it.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "model/model_program.h"
#include "unfold/unfolding_strategy.h"

namespace heddle::unfold {

struct Unfolded {
  UnfoldingStatistics statistics;
  std::uint64_t executions = 0;
  std::uint64_t deadlocked = 0;  // executions that ended in one
};

// `file` below the source folder.
inline Unfolded unfold_model(const std::string& file, const std::map<std::string, std::int64_t>& defines,
                             UnfoldingOptions options) {
  model::ModelOptions model_options;
  model_options.inputs = model::InputMode::kSymbolic;
  auto model = model::load_model(std::string(HEDDLE_SOURCE_DIR) + "/" + file, defines, model_options);
  EXPECT_TRUE(model.ok());
  options.feasibility = model->get();
  UnfoldingStrategy strategy(options);
  Unfolded unfolded;
  Schedule schedule;
  Execution execution;
  while (strategy.next(schedule)) {
    (*model)->run(schedule, execution);
    EXPECT_NE(execution.outcome, Outcome::kDiverged);
    ++unfolded.executions;
    unfolded.deadlocked += execution.outcome == Outcome::kDeadlock;
    strategy.learn(execution);
  }
  unfolded.statistics = strategy.statistics();
  EXPECT_EQ(unfolded.statistics.missed_targets, 0u) << file;
  EXPECT_EQ(unfolded.statistics.unconfirmed, 0u) << file;
  return unfolded;
}

}  // namespace heddle::unfold
