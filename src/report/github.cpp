#include "report/github.h"

#include "report/explanation.h"
#include "report/finding_place.h"
#include "report/html_sources.h"

namespace heddle::report {
namespace {

using namespace trace;

// `reserved` are the characters that would end what is being written, written as the runner decodes them.
std::string escaped(std::string_view text, std::string_view reserved) {
  constexpr const char* digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (reserved.find(c) == std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

std::string property(std::string_view text) { return escaped(text, "%\r\n:,"); }
std::string message(std::string_view text) { return escaped(text, "%\r\n"); }

std::string command(const char* level, const std::string& position, const std::string& title, const std::string& text) {
  std::string out = std::string("::") + level + " ";
  if (const auto place = parse_position(position)) {
    out += "file=" + property(place->file) + ",line=" + std::to_string(place->line);
    if (place->column > 0) out += ",col=" + std::to_string(place->column);
    out += ",";
  }
  return out + "title=" + property(title) + "::" + message(text) + "\n";
}

std::string finding_command(const explore::Finding& finding, const Describer& describer, const std::string& program) {
  const Failure& f = finding.failure;
  std::string text = finding_message(finding, describer);
  const Story story = tell(finding, describer);
  for (const std::string* line : {&story.decisive, &story.pattern})
    if (!line->empty()) text += "\n" + *line;
  return command("error", finding_position(finding, describer),
                 "heddle: " + std::string(name_of(f.kind)) + " in " + program, text);
}

}  // namespace

std::string github_annotations(const explore::ExploreResult& result, const Describer& describer,
                               const SavedSchedule& origin) {
  std::string out;
  for (const explore::Finding& finding : result.findings) out += finding_command(finding, describer, origin.program);
  if (result.verdict() == explore::Verdict::kInconclusive)
    out += command("warning", {}, "heddle: inconclusive: " + origin.program, result.reason());
  return out;
}

}  // namespace heddle::report
