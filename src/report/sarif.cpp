#include "report/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/random.h"
#include "report/explanation.h"
#include "report/finding_place.h"
#include "report/html_sources.h"
#include "report/narrative.h"
#include "trace/input_names.h"

namespace heddle::report {
namespace {

using namespace trace;
using Json = nlohmann::ordered_json;

// Viewers refuse files whose flows have more than some ten thousand locations; the end of an execution tells
// most.
constexpr std::size_t kMostLocations = 5000;

std::string percent_encoded(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) || std::string_view("/-._~").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string uri_of(const std::string& file) { return (file.starts_with('/') ? "file://" : "") + percent_encoded(file); }

// A location with its words; without a position it is the program as a whole.
Json location(const std::string& position, const std::string& text, const std::string& program) {
  const auto place = parse_position(position);
  Json physical = {{"artifactLocation", {{"uri", uri_of(place ? place->file : program)}}}};
  if (place && place->line > 0) {
    physical["region"] = {{"startLine", place->line}};
    if (place->column > 0) physical["region"]["startColumn"] = place->column;
  }
  Json out = {{"physicalLocation", physical}};
  if (!text.empty()) out["message"] = {{"text", text}};
  return out;
}

Json code_flow(const explore::Finding& finding, const SarifContext& context) {
  const Execution& execution = finding.execution;
  const auto sentences = narrate(execution, context.describer);
  const std::size_t end = std::min<std::size_t>(execution.steps.size(), finding.failure.step);
  const std::size_t begin = end > kMostLocations ? end - kMostLocations : 0;
  std::vector<Json> flows(execution.threads);
  for (std::size_t i = begin; i < end; ++i) {
    const Step& s = execution.steps[i];
    const explore::Explanation& why = finding.explanation;
    const bool decisive = i == why.first || i == why.second || i == why.critical;
    Json& flow = flows[s.thread.index()];
    if (flow.is_null()) flow = {{"id", context.describer.thread_name(s.thread)}, {"locations", Json::array()}};
    flow["locations"].push_back(
        {{"location", location(context.describer.position(s.where), sentences[i].text, context.origin.program)},
         {"executionOrder", i + 1},
         {"importance", decisive                ? "essential"
                        : sentences[i].preempts ? "important"
                                                : "unimportant"}});
  }
  Json out = Json::array();
  for (Json& flow : flows)
    if (!flow.is_null()) out.push_back(std::move(flow));
  return out;
}

// The pair, and what a pattern finds torn apart.
Json related_locations(const explore::Finding& finding, const SarifContext& context) {
  const explore::Explanation& why = finding.explanation;
  Json out = Json::array();
  const auto add = [&](EventIndex index, const char* role) {
    const Step* step = explore::step_at(finding.execution, index);
    if (step == nullptr) return;
    const std::string position = context.describer.position(step->where);
    if (position.empty()) return;
    const std::string text = std::string(role) + ", in thread " + context.describer.thread_name(step->thread);
    out.push_back(location(position, text, context.origin.program));
    out.back()["id"] = out.size();
  };
  add(why.first, "first of the decisive pair");
  add(why.second, "second of the decisive pair");
  add(why.check, "check");
  add(why.act, "act");
  return out;
}

// The same failure at the same line has the same fingerprint in the next run, wherever the file lies and
// whatever the schedule was.
std::string fingerprint(const Failure& failure, const std::string& source_line) {
  std::uint64_t h = static_cast<std::uint64_t>(failure.kind);
  for (const char c : failure.message + "\n" + source_line) h = combine(h, static_cast<unsigned char>(c));
  return fmt::format("{:016x}", h);
}

Json result_json(const explore::Finding& finding, const SarifContext& context, const std::vector<std::string>& rules) {
  const Failure& f = finding.failure;
  const std::string kind = name_of(f.kind);
  std::string text = finding_message(finding, context.describer);
  if (f.thread != kNoThread) text += " (in thread " + context.describer.thread_name(f.thread) + ")";
  const Story story = tell(finding, context.describer);
  for (const std::string* line : {&story.decisive, &story.critical, &story.pattern})
    if (!line->empty()) text += "\n" + *line;
  SavedSchedule schedule = context.origin;
  schedule.expect = kind;
  schedule.steps = finding.schedule;
  schedule.inputs = inputs_by_name(finding.execution, context.describer);
  Json out = {
      {"ruleId", kind},
      {"ruleIndex", std::find(rules.begin(), rules.end(), kind) - rules.begin()},
      {"level", "error"},
      {"message", {{"text", text.empty() ? kind : text}}},
      {"locations", Json::array({location(finding_position(finding, context.describer), "", context.origin.program)})},
      {"partialFingerprints", {{"heddle/v1", fingerprint(f, context.describer.source_line(f.where))}}},
      {"occurrenceCount", finding.count},
      {"properties", {{"schedule", to_text(schedule)}}}};
  if (Json related = related_locations(finding, context); !related.empty())
    out["relatedLocations"] = std::move(related);
  if (Json flows = code_flow(finding, context); !flows.empty())
    out["codeFlows"] =
        Json::array({Json{{"message", {{"text", "the execution that shows it"}}}, {"threadFlows", std::move(flows)}}});
  return out;
}

}  // namespace

std::string sarif_report(const explore::ExploreResult& r, const SarifContext& context) {
  std::vector<std::string> rules;
  for (const explore::Finding& finding : r.findings)
    if (const std::string kind = name_of(finding.failure.kind);
        std::find(rules.begin(), rules.end(), kind) == rules.end())
      rules.push_back(kind);
  Json driver = {{"name", "Heddle"}, {"version", context.version}, {"rules", Json::array()}};
  for (const std::string& rule : rules)
    driver["rules"].push_back({{"id", rule},
                               {"shortDescription", {{"text", "some interleaving leads to: " + rule}}},
                               {"defaultConfiguration", {{"level", "error"}}}});
  Json invocation = {{"executionSuccessful", true}, {"exitCode", context.exit_code}};
  if (r.verdict() == explore::Verdict::kInconclusive)
    invocation["toolExecutionNotifications"] =
        Json::array({Json{{"level", "warning"}, {"message", {{"text", "inconclusive: " + r.reason()}}}}});
  Json run = {{"tool", {{"driver", driver}}},
              {"invocations", Json::array({invocation})},
              {"columnKind", "unicodeCodePoints"},
              {"results", Json::array()},
              {"properties",
               {{"verdict", explore::name_of(r.verdict())},
                {"exhausted", r.exhausted()},
                {"algorithm", r.algorithm},
                {"executions", r.executions},
                {"classes", r.classes},
                {"seconds", r.seconds}}}};
  for (const Assumption& assumption : r.assumptions)
    run["properties"]["assumptions"].push_back(to_text(assumption, context.describer));
  for (const explore::Finding& finding : r.findings) run["results"].push_back(result_json(finding, context, rules));
  const Json out = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heddle::report
