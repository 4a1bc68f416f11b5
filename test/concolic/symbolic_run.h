// Explores a model with symbolic inputs, for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include "explore/explorer.h"
#include "model/model_program.h"

namespace heddle::concolic_test {

struct Explored {
  std::unique_ptr<model::ModelProgram> program;
  explore::ExploreResult result;
};

inline model::ModelOptions symbolic_inputs() {
  model::ModelOptions options;
  options.inputs = model::InputMode::kSymbolic;
  return options;
}

inline Explored run(Result<std::unique_ptr<model::ModelProgram>> program, explore::StrategyOptions strategy,
                    std::function<void(const trace::Execution&)> on_execution = nullptr) {
  EXPECT_TRUE(program.ok()) << (program.ok() ? "" : program.error().message);
  explore::ExploreOptions options;
  options.strategy = strategy;
  options.strategy.feasibility = program->get();
  options.all = true;
  options.on_execution = std::move(on_execution);
  auto result = explore::explore(**program, options);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  return {std::move(*program), result.ok() ? std::move(*result) : explore::ExploreResult{}};
}

inline Explored run_text(const std::string& text, explore::StrategyOptions strategy = {},
                         model::ModelOptions options = symbolic_inputs()) {
  return run(model::load_model_text(text, "test.hed", {}, options), strategy);
}

}  // namespace heddle::concolic_test
