#include "cli/present.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "report/github.h"
#include "report/html.h"
#include "report/json.h"
#include "report/junit.h"
#include "report/problems.h"
#include "report/sarif.h"
#include "report/terminal.h"
#include "trace/input_names.h"

namespace heddle::cli {
namespace {

std::optional<Error> write_file(const std::string& path, const std::string& text) {
  if (path == "-") {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return std::nullopt;
  }
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text << std::flush;
  if (file) return std::nullopt;
  return Error{"cannot write \"" + path + "\"; check that its folder exists and is writable"};
}

report::TerminalOptions terminal(bool all_details) {
  report::TerminalOptions options;
  options.all_details = all_details;
  const char* no_color = std::getenv("NO_COLOR");
  const bool tty = isatty(STDOUT_FILENO) != 0;
  options.color = tty && (no_color == nullptr || *no_color == '\0');
  // Without a terminal COLUMNS says how wide whoever reads it wants it.
  constexpr unsigned long kNarrowest = 40, kWidest = 1000;
  winsize size{};
  const char* columns = std::getenv("COLUMNS");
  const unsigned long wanted = tty && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col
                               : columns != nullptr                                ? std::strtoul(columns, nullptr, 10)
                                                                                   : 0;
  if (wanted > 0) options.width = std::clamp(wanted, kNarrowest, kWidest);
  return options;
}

int exit_code(const explore::ExploreResult& result) {
  switch (result.verdict()) {
    case explore::Verdict::kBug:
      return kExitBug;
    case explore::Verdict::kNoBug:
      return result.exhausted() ? kExitNoBug : kExitInconclusive;
    case explore::Verdict::kInconclusive:
      return kExitInconclusive;
  }
  return kExitInconclusive;
}

// The first that could not be written, if any; the others are.
std::optional<Error> write_reports(const ExploredProgram& explored, const ReportRequest& reports) {
  const explore::ExploreResult& result = explored.result;
  const trace::Describer& describer = *explored.describer;
  std::optional<Error> failed;
  const auto write = [&](const std::string& path, const std::string& text) {
    if (auto error = write_file(path, text); error && !failed) failed = std::move(error);
  };
  if (reports.html) {
    const report::HtmlContext context{describer,     explored.origin, explored.history,
                                      explored.note, explored.output, HEDDLE_VERSION};
    write(*reports.html, report::html_report(result, context));
  }
  if (reports.junit) write(*reports.junit, report::junit_report(result, describer, explored.origin));
  if (reports.sarif)
    write(*reports.sarif,
          report::sarif_report(result, {describer, explored.origin, HEDDLE_VERSION, exit_code(result)}));
  return failed;
}

bool wants_annotations(const Destinations& destinations) {
  const char* actions = std::getenv("GITHUB_ACTIONS");
  return destinations.reports.github ||
         (!destinations.quiet && actions != nullptr && std::string_view(actions) == "true");
}

}  // namespace

Result<int> present(const ExploredProgram& explored, const Destinations& destinations) {
  const explore::ExploreResult& result = explored.result;
  // Whatever happens to a file, the report is printed.
  std::optional<Error> failed;
  const auto note = [&](std::optional<Error> error) {
    if (error && !failed) failed = std::move(error);
  };
  bool saved = false;
  if (destinations.save && !result.findings.empty()) {
    trace::SavedSchedule schedule = explored.origin;
    schedule.expect = trace::name_of(result.findings.front().failure.kind);
    schedule.steps = result.findings.front().schedule;
    schedule.inputs = trace::inputs_by_name(result.findings.front().execution, *explored.describer);
    auto error = write_file(*destinations.save, to_text(schedule));
    saved = !error;
    note(std::move(error));
  }
  if (destinations.json)
    note(write_file(*destinations.json, report::json_report(result, *explored.describer, explored.origin)));
  note(write_reports(explored, destinations.reports));
  // Who reads these reads both streams; JSON must stay alone on its own.
  const auto print = [&](const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), destinations.json == "-" ? stderr : stdout);
  };
  if (wants_annotations(destinations)) print(report::github_annotations(result, *explored.describer, explored.origin));
  if (destinations.reports.problems) print(report::problem_lines(result, *explored.describer, explored.origin));
  if (!destinations.quiet && destinations.json != "-") {
    std::string text = explored.note.empty() ? std::string() : "note: " + explored.note + "\n";
    if (!explored.output.empty())
      text += "output of the failing execution:\n" + explored.output + (explored.output.back() == '\n' ? "\n" : "\n\n");
    text += report::terminal_report(result, *explored.describer, terminal(destinations.all_details));
    if (destinations.save && result.findings.empty()) text += "no bug, so no schedule was saved\n";
    if (saved) text += "schedule of bug 1 saved; replay it with: heddle replay " + *destinations.save + "\n";
    write_file("-", text);
  }
  // How it came about is no part of the result, but a reader of JSON wants to know as well.
  if (!destinations.quiet && destinations.json == "-" && !explored.note.empty())
    std::fprintf(stderr, "note: %s\n", explored.note.c_str());
  print(explored.statistics);
  std::fflush(stdout);
  if (failed) return *failed;
  return exit_code(result);
}

}  // namespace heddle::cli
