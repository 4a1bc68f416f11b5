#include "report/html.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/xml_text.h"
#include "report/cost_json.h"
#include "report/explanation.h"
#include "report/html_page.h"
#include "report/html_sources.h"
#include "report/html_trace.h"
#include "report/html_tree.h"
#include "report/racing_pair.h"
#include "report/shown_data.h"
#include "trace/input_names.h"
#include "trace/waiting.h"

namespace heddle::report {
namespace {

using namespace trace;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostSamples = 400;  // more than a chart has pixels

// JSON inside a script element ends at the first "</script", wherever that stands: no '<' may remain. In JSON
// it occurs in strings only, where it may be written as an escape.
std::string script_safe(const Json& data) {
  const std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

Json history_json(const explore::ExploreResult& result, const std::vector<explore::Progress>& history) {
  Json samples = Json::array();
  const std::size_t stride = history.size() / kMostSamples + 1;
  for (std::size_t i = 0; i < history.size(); i += stride) {
    const explore::Progress& p = history[i];
    samples.push_back({p.seconds, p.executions, p.classes, p.findings, p.depth});
  }
  samples.push_back({result.seconds, result.executions, result.classes, result.findings.size(),
                     history.empty() ? 0 : history.back().depth});
  return samples;
}

// Only what is known is there, and null where a field has no event.
Json explanation_json(const explore::Explanation& e, const HtmlContext& context, PageSources& sources) {
  const auto event = [](EventIndex index) { return index == kNoEvent ? Json(nullptr) : Json(index); };
  Json out = Json::object();
  if (e.minimized) out.update({{"minimized", true}, {"found", cost_json(e.found)}, {"shown", cost_json(e.shown)}});
  if (e.critical != kNoEvent) out.update({{"critical", e.critical}, {"criticalCertain", e.critical_certain}});
  if (e.inevitable) out.update({{"inevitable", true}, {"inevitableCertain", e.inevitable_certain}});
  if (!e.has_pair()) return out;
  out.update(
      {{"first", event(e.first)}, {"second", event(e.second)}, {"check", event(e.check)}, {"act", event(e.act)}});
  if (!e.reversed.steps.empty()) out["reversed"] = page_trace(e.reversed, context.describer, sources);
  if (e.pattern != explore::Pattern::kNone) out["pattern"] = explore::name_of(e.pattern);
  return out;
}

Json story_json(const Story& story) {
  return {{"decisive", story.decisive}, {"critical", story.critical}, {"orders", story.orders},
          {"pattern", story.pattern},   {"tornBy", story.torn_by},    {"minimized", story.minimized}};
}

// Beside the steps; each with whether it is shown there, or among the values only.
Json data_json(const explore::Finding& finding, PageSources& sources) {
  Json notes = Json::array();
  const std::vector<const explore::DataNote*> shown = shown_data(finding, WhichData::kRelevant);
  for (const explore::DataNote& note : finding.data)
    notes.push_back({{"done", note.step},
                     {"thread", note.thread.index()},
                     {"place", sources.place(note.where)},
                     {"object", note.object},
                     {"before", note.before},
                     {"after", note.after},
                     {"text", data_text(note)},
                     {"shown", std::find(shown.begin(), shown.end(), &note) != shown.end()}});
  return notes;
}

Json finding_json(const explore::Finding& finding, const HtmlContext& context, PageSources& sources) {
  const Failure& f = finding.failure;
  SavedSchedule schedule = context.origin;
  schedule.expect = name_of(f.kind);
  schedule.steps = finding.schedule;
  schedule.inputs = inputs_by_name(finding.execution, context.describer);
  Json out = {{"kind", name_of(f.kind)},
              {"message", f.message},
              {"place", sources.place(f.where)},
              {"thread", f.thread == kNoThread ? -1 : static_cast<int>(f.thread.index())},
              {"step", f.step},
              {"count", finding.count},
              {"schedule", to_text(schedule)},
              {"trace", page_trace(finding.execution, context.describer, sources)},
              {"explanation", explanation_json(finding.explanation, context, sources)},
              {"story", story_json(tell(finding, context.describer))},
              {"data", data_json(finding, sources)}};
  if (!f.state.empty()) out["message"] = f.message + " (" + f.state + ")";
  if (!schedule.inputs.empty()) out["inputs"] = input_lines(finding.execution, context.describer);
  if (f.kind == FailureKind::kDeadlock) {
    // Who waits for what has its own place, so the title is about all of them.
    const std::vector<std::string> waiting = waiting_in_the_end(finding.execution, context.describer);
    const WaitCycle circle = wait_cycle(finding.execution, context.describer);
    const std::size_t round = circle.threads.size();
    const auto threads = [](std::size_t n) {
      return fmt::format("{} thread{} wait{}", n, n == 1 ? "" : "s", n == 1 ? "s" : "");
    };
    if (round == 0 && !waiting.empty())
      out["message"] = threads(waiting.size()) + " for ever";
    else if (round > 0 && round == waiting.size())
      out["message"] = threads(round) + " in a circle";
    else if (round > 0)
      out["message"] = fmt::format("{} in a circle, and {} more", threads(round), waiting.size() - round);
    out["waiting"] = waiting;
    out["circle"] = circle.text;
  }
  if (const auto missed = missed_write(finding.execution, f)) {
    out["pair"] = {missed->first, missed->second};
    out["missed"] = true;
  } else if (const auto pair = racing_pair(finding.execution, f)) {
    out["pair"] = {pair->first, pair->second};
  }
  return out;
}

Json page_data(const explore::ExploreResult& r, const HtmlContext& context) {
  PageSources sources(context.describer);
  Json operations = Json::array();
  for (int k = 0; k < kOpKinds; ++k) operations.push_back(name_of(static_cast<OpKind>(k)));
  Json out = {{"version", context.version},
              {"verdict", explore::name_of(r.verdict())},
              {"exhausted", r.exhausted()},
              {"reason", r.reason()},
              {"algorithm", r.algorithm},
              {"program", context.origin.program},
              {"executions", r.executions},
              {"classes", r.classes},
              {"asleep", r.asleep},
              {"deadlocked", r.deadlocked},
              {"failed", r.failed},
              {"cut", r.cut},
              {"infeasible", r.infeasible},
              {"states", r.states},
              {"steps", r.steps},
              {"seconds", r.seconds},
              {"note", context.note},
              {"output", context.output},
              {"operations", std::move(operations)},
              {"history", history_json(r, context.history)},
              {"tree", page_tree(r.kept, context.describer)}};
  out["assumptions"] = Json::array();
  for (const Assumption& assumption : r.assumptions)
    out["assumptions"].push_back(to_text(assumption, context.describer));
  out["findings"] = Json::array();
  for (const explore::Finding& finding : r.findings) out["findings"].push_back(finding_json(finding, context, sources));
  out["places"] = sources.places();
  out["files"] = sources.files();
  return out;
}

// What a reader without JavaScript sees.
std::string fallback(const explore::ExploreResult& r, const HtmlContext& context) {
  std::string out = "<h1>" + xml_text(context.origin.program) + ": " + explore::name_of(r.verdict()) + "</h1>\n";
  if (!r.reason().empty()) out += "<p>" + xml_text(r.reason()) + "</p>\n";
  for (const Assumption& assumption : r.assumptions)
    out += "<p>Assuming " + xml_text(to_text(assumption, context.describer)) + "</p>\n";
  for (const explore::Finding& finding : r.findings) {
    out += "<p>" + xml_text(name_of(finding.failure.kind)) + ": " + xml_text(finding.failure.message) + " " +
           xml_text(context.describer.position(finding.failure.where)) + "</p>\n";
  }
  return out + "<p>Stepping through the executions needs JavaScript.</p>";
}

// Fills the frame in one pass, so that what is put in is never searched for marks itself.
std::string filled_frame(const std::vector<std::pair<std::string_view, std::string_view>>& fillings) {
  std::string out;
  std::string_view rest = kPageFrame;
  for (const auto& [mark, text] : fillings) {
    const auto at = rest.find(mark);
    INVARIANT(at != rest.npos);
    out += rest.substr(0, at);
    out += text;
    rest.remove_prefix(at + mark.size());
  }
  return out += rest;
}

}  // namespace

std::string html_report(const explore::ExploreResult& result, const HtmlContext& context) {
  const std::string title = xml_text(context.origin.program) + " – " + explore::name_of(result.verdict()) + " – Heddle";
  return filled_frame({{"@TITLE@", title},
                       {"@STYLE@", kPageStyle},
                       {"@FALLBACK@", fallback(result, context)},
                       {"@DATA@", script_safe(page_data(result, context))},
                       {"@SCRIPT@", kPageScript}});
}

}  // namespace heddle::report
