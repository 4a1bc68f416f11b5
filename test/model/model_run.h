// Runs a model text along a given order of threads, and shows what happened in one line per step.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "model/model_program.h"

namespace heddle::model {

class ModelRun {
 public:
  // The text must be a valid model.
  explicit ModelRun(const std::string& text, const Defines& defines = {}, const ModelOptions& options = {});

  // Follows `order` and goes on without pre-emption.
  ModelRun& run(std::initializer_list<int> order = {});
  ModelRun& run(const std::vector<trace::Decision>& steps);

  // "main read x 0>0" and so on.
  std::vector<std::string> steps() const;
  std::int32_t value(const std::string& object) const;
  // Kinds and messages of the failures, "assertion main: message".
  std::vector<std::string> failures() const;
  std::string outcome() const { return name_of(execution.outcome); }

  std::unique_ptr<ModelProgram> program;
  trace::Execution execution;

 private:
  trace::Schedule schedule_;
};

// The value of an expression in a model without anything shared.
std::int32_t evaluate(const std::string& expression);

// The error of a text that must not be a valid model; empty if it is one.
std::string error_of(const std::string& text, const Defines& defines = {});

using Lines = std::vector<std::string>;

}  // namespace heddle::model
