// Runs a strategy on a model file and keeps what came of it.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "model/model_program.h"
#include "stateful/statistics.h"

namespace heddle::stateful {

using Defines = std::map<std::string, std::int64_t>;

inline std::unique_ptr<model::ModelProgram> load(const std::string& file, const Defines& defines) {
  model::ModelOptions options;
  options.inputs = model::InputMode::kSymbolic;
  auto model = model::load_model(std::string(HEDDLE_SOURCE_DIR) + "/" + file, defines, options);
  EXPECT_TRUE(model.ok()) << file;
  return std::move(*model);
}

// `file` below the source folder.
template <class Strategy>
Statistics run_model(const std::string& file, const Defines& defines, StatefulOptions options) {
  const auto model = load(file, defines);
  options.feasibility = model.get();
  Strategy strategy(options);
  trace::Schedule schedule;
  trace::Execution execution;
  while (strategy.next(schedule)) {
    model->run(schedule, execution);
    EXPECT_NE(execution.outcome, trace::Outcome::kDiverged) << file;
    if (execution.outcome == trace::Outcome::kDiverged) break;
    strategy.learn(execution);
  }
  const Statistics statistics = strategy.statistics();
  EXPECT_EQ(left_open(statistics), "") << file;
  return statistics;
}

}  // namespace heddle::stateful
