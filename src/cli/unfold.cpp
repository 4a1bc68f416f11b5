// `heddle unfold`: builds the unfolding of a small model, or the Petri net of a small program, and draws it.
#include <algorithm>
#include <cstdio>
#include <fstream>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/front_end.h"
#include "model/model_program.h"
#include "net/drawing.h"
#include "net/program_drawing.h"
#include "stateful/marking_search.h"
#include "unfold/explicit_net.h"
#include "unfold/unfolding_strategy.h"

namespace heddle::cli {
namespace {

std::optional<Error> write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text << std::flush;
  if (file) return std::nullopt;
  return Error{"cannot write \"" + path + "\"; check that its folder exists and is writable"};
}

Error too_large(const UnfoldRequest& request) {
  return Error{
      fmt::format("the net of \"{}\" has more than {} transitions, too many to draw; make the program smaller (-D) "
                  "or raise --max-events",
                  request.program, request.max_events)};
}

Result<int> draw(const UnfoldRequest& request, const stateful::MarkingSearch& search, const trace::Describer& describer,
                 const explore::ExploreResult& explored) {
  const net::ProgramNet& net = search.net();
  const net::ProgramNet::Counts counts = net.counts();
  if (counts.transitions > request.max_events) return too_large(request);
  if (request.dot) std::fputs(net::to_dot(net, describer).c_str(), stdout);
  if (request.svg)
    if (auto error = write(*request.svg, net::to_svg(net, describer))) return *error;
  if (request.html)
    if (auto error = write(*request.html, net::to_html(net, describer, "Petri net of " + request.program)))
      return *error;
  if (!request.dot)
    std::fputs(fmt::format("{} places, {} transitions, {} markings, {} executions\n", counts.places, counts.transitions,
                           search.statistics().markings, explored.executions)
                   .c_str(),
               stdout);
  return explored.exhausted() ? kExitNoBug : kExitInconclusive;
}

// The Petri net of the program, learnt by visiting all of its markings.
Result<int> draw_net(const UnfoldRequest& request, model::ModelProgram& model) {
  explore::ExploreOptions engine;
  engine.all = true;
  engine.strategy.algorithm = explore::Algorithm::kStateful;
  stateful::StatefulOptions options;
  options.feasibility = &model;
  options.findings = false;
  const auto search = std::make_shared<stateful::MarkingSearch>(options);
  engine.make = [&] { return std::make_unique<explore::SharedStrategy>(search); };
  engine.observer = [&](const explore::Progress&) { return search->net().transition_ids() <= request.max_events + 1; };
  auto explored = explore::explore(model, engine);
  if (!explored) return explored.error();
  return draw(request, *search, model, *explored);
}

bool follows(const trace::Execution& execution, const trace::Schedule& schedule) {
  return execution.steps.size() >= schedule.steps.size() &&
         std::equal(schedule.steps.begin(), schedule.steps.end(), execution.steps.begin(),
                    [](const trace::Decision& d, const trace::Step& s) {
                      return d.thread == s.thread && d.choice == s.choice;
                    });
}

// Of a C or C++ program, where the search is in another process: the executions that it has run are shown to a second
// one, which asks for the same, as it knows the same.
Result<int> draw_native_net(const UnfoldRequest& request) {
  RunRequest run;
  run.program = request.program;
  run.defines = request.defines;
  run.strategy.algorithm = explore::Algorithm::kStateful;
  run.all = run.no_minimize = run.keep_executions = true;
  auto explored = explore_by_kind(run, [](const explore::Progress&) { return true; });
  if (!explored) return explored.error();
  stateful::StatefulOptions options;
  options.net = {.joins_see = true, .idle_joins = true, .orders_matter = true};
  options.races = true;
  stateful::MarkingSearch search(options);
  trace::Schedule schedule;
  if (explored->result.kept.empty()) return too_large(request);
  bool same = true;
  for (const trace::Execution& execution : explored->result.kept) {
    for (const trace::Step& step : execution.steps)
      if (step.op.kind == trace::OpKind::kBranch)
        return Error{"\"" + request.program + "\" has inputs, and nets with inputs are drawn of models only"};
    same = same && search.next(schedule) && follows(execution, schedule);
    if (same) search.learn(execution);
  }
  if (!same || (explored->result.exhausted() && search.next(schedule)))
    return Error{"the net of \"" + request.program +
                 "\" could not be learnt from its executions; if it has an invariant, "
                 "take it out"};
  return draw(request, search, *explored->describer, explored->result);
}

}  // namespace

Result<int> unfold(const UnfoldRequest& request) {
  if (!request.program.ends_with(".hed")) return draw_native_net(request);
  model::ModelOptions options;
  options.inputs = model::InputMode::kSymbolic;
  auto model = model::load_model(request.program, request.defines, options);
  if (!model) return model.error();
  if (request.model) return draw_net(request, **model);
  explore::ExploreOptions engine;
  engine.all = true;
  engine.strategy.algorithm =
      request.contextual ? explore::Algorithm::kContextualUnfolding : explore::Algorithm::kUnfolding;
  unfold::UnfoldingOptions unfolding;
  unfolding.variant = request.contextual ? unfold::Variant::kContextual : unfold::Variant::kPlaceReplicated;
  unfolding.feasibility = model->get();
  const auto strategy = std::make_shared<unfold::UnfoldingStrategy>(unfolding);
  engine.make = [&] { return std::make_unique<explore::SharedStrategy>(strategy); };
  engine.observer = [&](const explore::Progress&) { return strategy->unfolding().covered() <= request.max_events; };
  auto explored = explore::explore(**model, engine);
  if (!explored) return explored.error();
  const std::uint64_t events = strategy->unfolding().covered();
  if (events > request.max_events)
    return Error{
        fmt::format("the unfolding of \"{}\" has more than {} events, too many to draw; make the model smaller "
                    "(-D) or raise --max-events",
                    request.program, request.max_events)};
  const net::OccurrenceNet net = unfold::explicit_net(strategy->unfolding(), **model);
  if (request.dot) std::fputs(net::to_dot(net).c_str(), stdout);
  if (request.svg)
    if (auto error = write(*request.svg, net::to_svg(net))) return *error;
  if (request.html)
    if (auto error = write(*request.html, net::to_html(net, "Unfolding of " + request.program))) return *error;
  if (!request.dot)
    std::fputs(
        fmt::format("{} events, {} conditions, {} executions\n", events, net.conditions().size(), explored->executions)
            .c_str(),
        stdout);
  return explored->exhausted() ? kExitNoBug : kExitInconclusive;
}

}  // namespace heddle::cli
