// A model's numbers of terms and threads, and what was left open about its inputs, as a search by several wants them.
#pragma once

#include "dist/item_explorer.h"
#include "model/model_program.h"

namespace heddle::cli {

class ModelNumbers final : public dist::OwnNumbers {
 public:
  explicit ModelNumbers(model::ModelProgram& model) : model_(model) {}
  trace::Feasibility* judge() override { return model_.inputs() != nullptr ? &model_ : nullptr; }
  symbolic::TermStore* terms() override { return model_.inputs() != nullptr ? &model_.inputs()->terms() : nullptr; }
  std::vector<dist::StartedThread> threads() const override {
    std::vector<dist::StartedThread> threads;
    for (const auto& birth : model_.late_births()) threads.push_back({birth.parent, birth.ordinal, birth.function});
    return threads;
  }
  void use_threads(const std::vector<dist::StartedThread>& threads) override {
    std::vector<model::Interpreter::Birth> births;
    for (const auto& thread : threads) births.push_back({thread.parent, thread.ordinal, thread.function});
    model_.use_late_births(births);
  }
  std::map<std::uint32_t, std::string> take_left_open() override { return model_.take_left_open(); }

 private:
  model::ModelProgram& model_;
};

}  // namespace heddle::cli
