#include "cli/front_end.h"
#include "cli/self_check.h"
#include "explore/explain.h"
#include "model/model_program.h"

namespace heddle::cli {
namespace {

Result<std::unique_ptr<model::ModelProgram>> load(const std::string& path, const Defines& defines,
                                                  const model::ModelOptions& options) {
  return model::load_model(path, defines, options);
}

}  // namespace

Result<Explored> explore_model(const RunRequest& request, const Observer& observer) {
  model::ModelOptions options;
  options.input_seed = request.strategy.seed;
  if (request.max_steps) options.max_steps = *request.max_steps;
  auto model = load(request.program, request.defines, options);
  if (!model) return model.error();
  explore::ExploreOptions engine = engine_options(request, observer);
  std::optional<SelfCheck> check;
  if (request.check) {
    check.emplace(request.strategy);
    engine.on_execution = [&](const trace::Execution& execution) { check->on_execution(execution); };
  }
  auto result = explore::explore(**model, engine);
  if (!result) return result.error();
  if (check) check->conclude(**model, *result);
  explore::explain_findings(**model, *result, {.minimize = !request.no_minimize});
  trace::SavedSchedule origin;
  origin.program = request.program;
  origin.identity = (*model)->identity();
  origin.defines = request.defines;
  origin.input_seed = request.strategy.seed;
  return Explored{std::move(*result), std::move(*model), std::move(origin), {}, {}};
}

Result<Explored> replay_model(const trace::SavedSchedule& saved) {
  model::ModelOptions options;
  options.input_seed = saved.input_seed;
  // Whatever bound the schedule was found under, its own steps must fit; what follows them may still spin.
  options.max_steps += static_cast<std::uint32_t>(saved.steps.size());
  auto model = load(saved.program, saved.defines, options);
  if (!model) return model.error();
  if ((*model)->identity() != saved.identity)
    return Error{"\"" + saved.program + "\" has changed since its schedule was saved; run it again with --save"};
  trace::Execution execution;
  explore::replay(**model, saved.steps, execution);
  explore::ExploreResult result = replay_result(std::move(execution), saved);
  return Explored{std::move(result), std::move(*model), saved, {}, {}};
}

}  // namespace heddle::cli
