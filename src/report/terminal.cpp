#include "report/terminal.h"

#include <fmt/format.h>

#include "report/explanation.h"
#include "report/palette.h"
#include "report/trace_table.h"
#include "trace/input_names.h"
#include "trace/waiting.h"

namespace heddle::report {
namespace {

using namespace trace;

std::string count(std::uint64_t n, const char* noun) {
  const std::string plural = std::string(noun).ends_with("s") ? "es" : "s";
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : plural);
}

// A paragraph of the explanation, indented behind its first line.
std::string wrapped(const std::string& text, std::size_t width) {
  std::string out = "  why: ";
  const std::string hang(7, ' ');
  std::size_t column = out.size();
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find(' ', i), text.size());
    const std::string word = text.substr(i, end - i);
    if (column > hang.size() && column + 1 + word.size() > width) {
      out += '\n' + hang;
      column = hang.size();
    } else if (column > hang.size()) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    i = end + 1;
  }
  return out + '\n';
}

std::string finding_text(const explore::Finding& finding, std::size_t number, const Describer& describer,
                         const TerminalOptions& options) {
  const Failure& f = finding.failure;
  std::string out = paint(fmt::format("bug {}: {}", number, name_of(f.kind)), Ink::kBad, options.color);
  // Who waits for what is said below, with places.
  const bool deadlock = f.kind == FailureKind::kDeadlock;
  if (!f.message.empty() && !deadlock) out += ": " + f.message;
  out += '\n';
  if (const std::string position = describer.position(f.where); f.thread != kNoThread) {
    out += "  in thread " + describer.thread_name(f.thread);
    if (!position.empty()) out += " at " + position;
    if (const std::string line = describer.source_line(f.where); !line.empty()) out += "\n    " + line;
    out += '\n';
  }
  if (deadlock)
    for (const std::string& line : waiting_in_the_end(finding.execution, describer)) out += "  " + line + '\n';
  if (const std::string cycle = deadlock ? wait_cycle(finding.execution, describer) : ""; !cycle.empty())
    out += "  circle: " + cycle + '\n';
  for (const auto& [name, value] : inputs_by_name(finding.execution, describer)) out += fmt::format("  {} = {}\n", name, value);
  if (finding.count > 1)
    out += fmt::format("  seen in {} executions; {}:\n", finding.count,
                       finding.explanation.minimized ? "the shortest" : "the first");
  const std::vector<std::string> story = tell(finding, describer).lines();
  if (!story.empty()) out += '\n';
  for (const std::string& line : story) out += wrapped(line, options.width);
  return out + '\n' + trace_table(finding, describer, options) + '\n';
}

std::string verdict_line(const explore::ExploreResult& r, bool color) {
  switch (r.verdict) {
    case explore::Verdict::kBug:
      return paint("verdict: bug", Ink::kBad, color) + " (" + count(r.findings.size(), "distinct finding") +
             ")";
    case explore::Verdict::kNoBug:
      return paint("verdict: no bug", Ink::kGood, color);
    case explore::Verdict::kInconclusive:
      return paint("verdict: inconclusive", Ink::kUnsure, color);
  }
  return {};
}

std::string summary(const explore::ExploreResult& r, const TerminalOptions& options) {
  std::string out = verdict_line(r, options.color);
  out += r.exhausted ? ", exhausted: everything within the stated bounds was explored" : ", not exhausted";
  if (!r.reason.empty()) out += ": " + r.reason;
  out += fmt::format("\n{}: {}, {}", r.algorithm, count(r.executions, "execution"), count(r.classes, "class"));
  if (r.deadlocked > 0) out += fmt::format(", {} deadlocked", r.deadlocked);
  if (r.asleep > 0) out += fmt::format(", {} asleep", r.asleep);
  if (r.cut > 0) out += fmt::format(", {} cut", r.cut);
  if (r.infeasible > 0) out += fmt::format(", {} infeasible", r.infeasible);
  if (r.states > 0) out += fmt::format(", {}", count(r.states, "state"));
  out += fmt::format(", {}, {:.3f} s\n", count(r.steps, "step"), r.seconds);
  if (r.estimate.total > 0)
    out += fmt::format("estimate: {:.2g} executions in all (between {:.2g} and {:.2g}), so about {:.2g} % were done\n",
                       r.estimate.total, r.estimate.low, r.estimate.high,
                       100 * static_cast<double>(r.executions) / r.estimate.total);
  return out;
}

}  // namespace

std::string terminal_report(const explore::ExploreResult& result, const Describer& describer,
                            const TerminalOptions& options) {
  std::string out;
  for (std::size_t i = 0; i < result.findings.size(); ++i)
    out += finding_text(result.findings[i], i + 1, describer, options);
  return out + summary(result, options);
}

}  // namespace heddle::report
