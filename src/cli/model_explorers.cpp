#include "cli/model_explorers.h"

#include <algorithm>

#include "dist/terms.h"

namespace heddle::cli {
namespace {

class OwnModel final : public trace::Program {
 public:
  OwnModel(std::unique_ptr<model::ModelProgram> model, const std::vector<property::Property>& properties,
           LeftOpen& left_open)
      : model_(std::move(model)),
        numbers_(*model_),
        watched_(*model_, properties, property::Look::kClass, questions_about(*model_)),
        watches_(!properties.empty()),
        left_open_(left_open) {}
  ~OwnModel() override {
    const std::lock_guard lock(left_open_.mutex);
    if (std::string open = watched_.left_open(); !open.empty()) left_open_.reasons.insert(std::move(open));
  }
  void run(const trace::Schedule& schedule, trace::Execution& execution) override {
    if (watches_)
      watched_.run(schedule, execution);
    else
      model_->run(schedule, execution);
  }
  dist::OwnNumbers& numbers() { return numbers_; }

 private:
  std::unique_ptr<model::ModelProgram> model_;
  ModelNumbers numbers_;
  property::WatchedProgram watched_;
  const bool watches_;
  LeftOpen& left_open_;
};

}  // namespace

property::InputQuestions questions_about(model::ModelProgram& model) {
  return {model.inputs(), [&model](const symbolic::Assignment& inputs) { model.inputs()->prefer(inputs); },
          model.assumes()};
}

dist::OwnProgram own_model(const ModelSource& source, const std::vector<property::Property>& properties,
                           LeftOpen& left_open) {
  auto model = model::load_model(source.path, source.defines, source.options);
  INVARIANT(model.ok());
  auto own = std::make_unique<OwnModel>(std::move(*model), properties, left_open);
  dist::OwnNumbers* numbers = &own->numbers();
  return {std::move(own), numbers};
}

void explain_afresh(const Models& models, const std::vector<property::Property>& properties,
                    const explore::ExplainOptions& options, explore::ExploreResult& result) {
  ModelNumbers(models.fresh).use_threads(ModelNumbers(models.explored).threads());
  property::WatchedProgram watched(models.fresh, properties, property::Look::kReplay, questions_about(models.fresh));
  trace::Program& fresh = models.fresh;
  trace::Program& program = properties.empty() ? fresh : watched;
  dist::Tally as_it_was;  // what does not show again
  for (explore::Finding& finding : result.findings) {
    std::vector<trace::Decision> steps;
    for (const trace::Step& step : finding.execution.steps) steps.push_back({step.thread, step.choice});
    trace::Execution again;
    explore::replay(program, steps, again);
    const auto shown = std::ranges::find_if(again.failures, [&](const trace::Failure& failure) {
      const trace::Failure& known = finding.failure;
      return failure.kind == known.kind && failure.where == known.where && failure.message == known.message;
    });
    if (shown != again.failures.end()) {
      finding.failure = *shown;
      finding.execution = std::move(again);
      continue;
    }
    as_it_was.findings.clear();
    as_it_was.findings.push_back(std::move(finding));
    dist::move_terms(models.explored.inputs()->terms(), models.fresh.inputs()->terms(), as_it_was);
    finding = std::move(as_it_was.findings.front());
  }
  explore::explain_findings(program, result, options);
}

std::vector<trace::Assumption> hurried_in(const model::ModelOptions& options) {
  const auto kind = trace::AssumptionKind::kCountingLoops;
  auto places = options.hurried->places();
  if (places.empty()) return {};
  return {{kind, text_of(kind), std::move(places)}};
}

}  // namespace heddle::cli
