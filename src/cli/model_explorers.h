// Explorers of a model that take part in a search with others: each has the model to itself.
#pragma once

#include <mutex>
#include <set>

#include "cli/model_numbers.h"
#include "dist/local_pool.h"
#include "explore/explain.h"
#include "property/watched_program.h"

namespace heddle::cli {

// Why explorers have not looked at every state.
struct LeftOpen {
  std::mutex mutex;
  std::set<std::string> reasons;
};

property::InputQuestions questions_about(model::ModelProgram& model);

// Explorers of the model at `path`, which could be loaded before. What `left_open` gets, it gets when they go.
struct ModelSource {
  std::string path;
  model::Defines defines;
  model::ModelOptions options;
};
dist::OwnProgram own_model(const ModelSource& source, const std::vector<property::Property>& properties,
                           LeftOpen& left_open);

// Which inputs a model is given depends on what was asked about others before. So that findings are shown with the same
// ones whoever has explored, and however many, a model that has met nothing yet shows each again, and explains them.
struct Models {
  model::ModelProgram& explored;  // whose terms the findings speak of
  model::ModelProgram& fresh;
};
void explain_afresh(const Models& models, const std::vector<property::Property>& properties,
                    const explore::ExplainOptions& options, explore::ExploreResult& result);

// Loops that explorers have hurried through.
std::vector<trace::Assumption> hurried_in(const model::ModelOptions& options);

}  // namespace heddle::cli
