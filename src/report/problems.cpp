#include "report/problems.h"

#include <algorithm>

#include "report/explanation.h"
#include "report/finding_place.h"
#include "report/narrative.h"

namespace heddle::report {
namespace {

using namespace trace;

// A problem is one line, whatever the text.
std::string line(const std::string& position, const char* level, std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return position + ": " + level + ": " + text + "\n";
}

}  // namespace

std::string problem_lines(const explore::ExploreResult& result, const Describer& describer,
                          const SavedSchedule& origin) {
  std::string out;
  // What has no line is a problem of the file as a whole.
  const auto somewhere = [&](const std::string& position) {
    return position.empty() ? origin.program + ":1:1" : position;
  };
  for (const explore::Finding& finding : result.findings) {
    const std::string kind = name_of(finding.failure.kind);
    const std::string message = finding_message(finding, describer);
    const std::string text = message.empty() ? kind : message.starts_with(kind) ? message : kind + ": " + message;
    out += line(somewhere(finding_position(finding, describer)), "error", text);
    const auto sentences = narrate(finding.execution, describer);
    const MarkedPair pair = marked_pair(finding);
    for (const EventIndex index : {pair.first, pair.second})
      if (const Step* step = explore::step_at(finding.execution, index))
        out += line(somewhere(describer.position(step->where)), "note",
                    describer.thread_name(step->thread) + ": " + sentences[index].text);
  }
  if (result.verdict() == explore::Verdict::kInconclusive)
    out += line(somewhere({}), "warning", "inconclusive: " + result.reason());
  return out;
}

}  // namespace heddle::report
