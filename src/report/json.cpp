#include "report/json.h"

#include <nlohmann/json.hpp>

#include "report/cost_json.h"
#include "report/explanation.h"
#include "report/narrative.h"
#include "report/reads_from.h"
#include "report/relaxation_table.h"
#include "trace/input_names.h"
#include "trace/waiting.h"

namespace heddle::report {
namespace {

using namespace trace;
using Json = nlohmann::ordered_json;

Json trace_json(const explore::Finding& finding, const Describer& describer) {
  const Execution& execution = finding.execution;
  const std::vector<Sentence> sentences = narrate(execution, describer);
  const MarkedPair pair = marked_pair(finding);
  const std::vector<Seen> seen = reads_from(execution);
  Json steps = Json::array();
  for (EventIndex i = 0; i < execution.steps.size(); ++i) {
    const Step& s = execution.steps[i];
    Json step = {{"thread", describer.thread_name(s.thread)}, {"operation", name_of(s.op.kind)}};
    if (s.op.object != kNoObject) step["object"] = describer.object_name(s.op.object);
    if (s.op.peer != kNoThread) step["peer"] = describer.thread_name(s.op.peer);
    if (on_memory(s.op.kind)) {
      step["before"] = static_cast<std::int64_t>(s.op.before);
      step["after"] = static_cast<std::int64_t>(s.op.kind == OpKind::kCasFailed ? s.op.before : s.op.after);
    }
    if (has_alternatives(s.op.kind) && !s.set.empty()) step["choice"] = s.choice;
    step["text"] = sentences[i].text;
    step["where"] = describer.position(s.where);
    if (sentences[i].preempts) step["preempts"] = true;
    if (seen[i].stale) {
      step["newer"] = seen[i].newer;
      if (s.op.kind != OpKind::kWrite)
        step["reads_from"] = seen[i].source == kNoEvent ? Json(nullptr) : Json(seen[i].source);
    }
    if (pair.first == i || pair.second == i) step["racing"] = true;
    if (finding.explanation.critical == i) step["critical"] = true;
    steps.push_back(std::move(step));
  }
  return steps;
}

// By the number of steps done before it.
Json data_json(const explore::Finding& finding, const Describer& describer) {
  Json notes = Json::array();
  for (const explore::DataNote& note : finding.data) {
    Json one = {{"steps_done", note.step},
                {"thread", describer.thread_name(note.thread)},
                {"object", note.object},
                {"before", note.before},
                {"after", note.after},
                {"write", note.write},
                {"where", describer.position(note.where)}};
    one["distance"] = note.distance == explore::kUnrelated ? Json(nullptr) : Json(note.distance);
    notes.push_back(std::move(one));
  }
  return notes;
}

// Numbers of steps count from 0, as they index `trace`; a step that was never taken is null.
Json explanation_json(const explore::Finding& finding, const Describer& describer, SavedSchedule schedule) {
  const explore::Explanation& why = finding.explanation;
  const Story story = tell(finding, describer);
  const auto index = [&](EventIndex i) { return i < finding.execution.steps.size() ? Json(i) : Json(nullptr); };
  schedule.expect.clear();
  schedule.steps = why.reversed_schedule;
  schedule.inputs.clear();  // another run may need others; a replay finds them
  Json out = {{"minimized", why.minimized},
              {"found", cost_json(why.found)},
              {"shown", cost_json(why.shown)},
              {"runs", why.runs},
              {"decisive", story.decisive},
              {"critical", story.critical},
              {"pattern", explore::name_of(why.pattern)},
              {"advice", story.pattern},
              {"critical_step", index(why.critical)},
              {"critical_certain", why.critical_certain},
              {"first", index(why.first)},
              {"second", index(why.second)},
              {"check", index(why.check)},
              {"act", index(why.act)}};
  if (why.orders != explore::Orders::kNotTried) {
    out["orders"] = story.orders;
    out["stronger_orders"] = Json::array();
    for (const StrongerPlace& place : stronger_places(finding, describer))
      out["stronger_orders"].push_back(
          {{"where", place.position}, {"own", name_of(place.own)}, {"wanted", name_of(place.wanted)}});
    for (const StrongerPlace& place : fence_places(finding, describer))
      out["fences"].push_back({{"before", place.position}, {"order", name_of(place.wanted)}});
  }
  // The opposite order of a data race is one, too.
  const bool race = finding.failure.kind == FailureKind::kDataRace;
  if (!why.reversed_schedule.empty()) out[race ? "opposite_schedule" : "succeeding_schedule"] = to_text(schedule);
  return out;
}

Json finding_json(const explore::Finding& finding, const Describer& describer, SavedSchedule schedule) {
  const Failure& f = finding.failure;
  schedule.expect = name_of(f.kind);
  schedule.steps = finding.schedule;
  schedule.inputs = inputs_by_name(finding.execution, describer);
  Json out = {{"kind", name_of(f.kind)}, {"message", f.message}, {"where", describer.position(f.where)}};
  if (!f.state.empty()) out["state"] = f.state;
  out["thread"] = f.thread == kNoThread ? Json(nullptr) : Json(describer.thread_name(f.thread));
  out["step"] = f.step;
  out["count"] = finding.count;
  if (f.kind == FailureKind::kDeadlock) out["waiting"] = waiting_in_the_end(finding.execution, describer);
  if (!schedule.inputs.empty()) out["inputs"] = schedule.inputs;
  out["schedule"] = to_text(schedule);
  out["explanation"] = explanation_json(finding, describer, schedule);
  out["trace"] = trace_json(finding, describer);
  if (!finding.data.empty()) out["data"] = data_json(finding, describer);
  return out;
}

// Only what this test does was looked at.
Json relaxation_json(const explore::Relaxation& relaxation, const Describer& describer) {
  Json places = Json::array();
  for (const explore::RelaxedPlace& place : relaxation.places) {
    const auto order = [&](const std::optional<MemoryOrder>& o) {
      return o ? Json(order_name(place.kind, *o)) : Json(nullptr);
    };
    places.push_back({{"where", describer.position(place.where)},
                      {"operation", access_name(place.kind)},
                      {"order", name_of(place.own)},
                      {"alone", order(place.alone)},
                      {"together", order(place.together)}});
  }
  return {{"searches", relaxation.trials},
          {"executions", relaxation.executions},
          {"open", relaxation.open},
          {"places", std::move(places)}};
}

}  // namespace

std::string json_report(const explore::ExploreResult& r, const Describer& describer, const SavedSchedule& origin) {
  Json out = {{"verdict", explore::name_of(r.verdict())},
              {"exhausted", r.exhausted()},
              {"reason", r.reason()},
              {"algorithm", r.algorithm},
              {"program", origin.program},
              {"executions", r.executions},
              {"classes", r.classes},
              {"asleep", r.asleep},
              {"deadlocked", r.deadlocked},
              {"failed", r.failed},
              {"cut", r.cut},
              {"infeasible", r.infeasible},
              {"states", r.states},
              {"events", r.events},
              {"steps", r.steps},
              {"seconds", r.seconds},
              {"cpu_seconds", r.cpu_seconds}};
  for (const explore::PartResult& part : r.parts)
    out["parts"].push_back({{"algorithm", part.algorithm},
                            {"executions", part.executions},
                            {"classes", part.classes},
                            {"ended", part.ended}});
  if (!r.parts.empty()) out["samples"] = r.samples;
  for (const explore::SamplePoint& point : r.curve)
    out["curve"].push_back({{"samples", point.samples},
                            {"classes", point.classes},
                            {"reads_from_pairs", point.pairs},
                            {"unseen", point.unseen}});
  if (r.complete_preemptions) out["complete_preemptions"] = *r.complete_preemptions;
  if (r.estimate.total > 0)
    out["estimate"] = {{"total", r.estimate.total}, {"low", r.estimate.low}, {"high", r.estimate.high}};
  out["assumptions"] = Json::array();
  for (const Assumption& assumption : r.assumptions)
    out["assumptions"].push_back(
        {{"kind", name_of(assumption.kind)}, {"text", assumption.text}, {"places", places_of(assumption, describer)}});
  for (const explore::PropertyAnswer& p : r.properties)
    out["properties"].push_back({{"kind", p.kind}, {"text", p.text}, {"answer", p.answer}});
  if (r.relaxation) out["relaxation"] = relaxation_json(*r.relaxation, describer);
  out["findings"] = Json::array();
  for (const explore::Finding& finding : r.findings)
    out["findings"].push_back(finding_json(finding, describer, origin));
  // Names come from source files, which may hold any bytes.
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heddle::report
