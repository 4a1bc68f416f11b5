#include "report/terminal.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/explanation.h"
#include "report/finding_place.h"
#include "report/palette.h"
#include "report/relaxation_table.h"
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

// A paragraph behind `first`, its further lines indented by `hang`.
std::string wrapped(const std::string& first, const std::string& text, std::size_t hang, std::size_t width) {
  std::string out = first;
  const std::string indent(hang, ' ');
  std::size_t column = out.size();
  bool begins = true;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find(' ', i), text.size());
    const std::string word = text.substr(i, end - i);
    if (!begins && column + 1 + word.size() > width) {
      out += '\n' + indent;
      column = hang;
    } else if (!begins) {
      out += ' ';
      ++column;
    }
    begins = false;
    out += word;
    column += word.size();
    i = end + 1;
  }
  return out + '\n';
}

// What is wrong, in which thread and where: each said once. Messages begin with the kind where that reads better, and
// go on with the calls that led there, or with the other side of a race.
std::string head_text(const Failure& f, std::size_t number, const Describer& describer, bool color) {
  const std::string kind = name_of(f.kind), position = describer.position(f.where);
  const std::size_t end = std::min(f.message.find('\n'), f.message.size());
  std::string first = f.message.substr(0, end), rest = f.message.substr(end);
  // What somebody asked for is no bug.
  const bool asked_for = f.kind == FailureKind::kReachable;
  std::string out =
      asked_for ? paint(kind, Ink::kGood, color) : paint(fmt::format("bug {}: {}", number, kind), Ink::kBad, color);
  if (first.starts_with(kind + " "))
    first = first.substr(kind.size());
  else if (!first.empty())
    first = ": " + first;
  out += first + '\n';
  if (f.thread == kNoThread) return rest.empty() ? out : out + rest.substr(1) + '\n';
  const std::string frame = rest.substr(0, rest.find('\n', 1));  // the innermost
  const bool frame_is_place = !position.empty() && frame.ends_with("  " + position);
  if (frame_is_place) rest = rest.substr(frame.size());
  if (position.empty() || rest.find(position) == rest.npos) {
    out += "  in thread " + describer.thread_name(f.thread);
    if (frame_is_place && !rest.empty()) {
      const std::size_t name = frame.find_first_not_of("\n ");
      out += " in " + frame.substr(name, frame.size() - position.size() - 2 - name);
    }
    if (!position.empty()) out += " at " + position;
    if (const std::string line = describer.source_line(f.where); !line.empty()) out += "\n    " + line;
    out += '\n';
  }
  return rest.empty() ? out : out + rest.substr(1) + '\n';
}

// "in withdraw(int) T1 must not be interrupted between:" and the lines. They are copied, so they are not wrapped.
std::string code_text(const Story& story) {
  if (story.torn.empty()) return {};
  std::size_t widest = 0;
  bool shared = true;
  for (const CodeLine& line : story.torn) {
    widest = std::max(widest, line.position.size());
    shared = shared && line.function == story.torn.front().function;
  }
  const std::string& function = story.torn.front().function;
  std::string out = "       " + (shared && !function.empty() ? "in " + function + " " : "") + story.torn_by + ":\n";
  for (const CodeLine& line : story.torn) {
    out += fmt::format("         {:<{}}  {}\n", line.position, widest, line.text);
    if (!shared && !line.function.empty()) out += fmt::format("         {:<{}}  in {}\n", "", widest, line.function);
  }
  return out;
}

std::string finding_text(const explore::Finding& finding, std::size_t number, const Describer& describer,
                         const TerminalOptions& options) {
  Failure f = finding.failure;
  const bool deadlock = f.kind == FailureKind::kDeadlock;
  if (deadlock) f.message.clear();  // who waits for what is said below, with places
  std::string out = head_text(f, number, describer, options.color);
  if (!f.state.empty()) out += wrapped(fmt::format("  after step {}: ", f.step), f.state, 4, options.width);
  if (deadlock)
    for (const std::string& line : waiting_in_the_end(finding.execution, describer))
      out += wrapped("  ", line, 4, options.width);
  if (const std::string cycle = deadlock ? wait_cycle(finding.execution, describer).text : ""; !cycle.empty())
    out += wrapped("  circle: ", cycle, 10, options.width);
  for (const std::string& line : input_lines(finding.execution, describer))
    out += wrapped("  ", line, 4, options.width);
  if (finding.count > 1)
    out += fmt::format("  seen in {} executions; {}:\n", finding.count,
                       finding.explanation.minimized ? "the shortest" : "the first");
  const Story story = tell(finding, describer);
  if (!story.lines().empty()) out += '\n';
  for (const std::string* line : {&story.decisive, &story.critical, &story.pattern, &story.orders})
    if (!line->empty()) out += wrapped("  why: ", *line, 7, options.width);
  out += code_text(story);
  if (!story.minimized.empty()) out += wrapped("  why: ", story.minimized, 7, options.width);
  return out + '\n' + trace_table(finding, describer, options) + '\n';
}

constexpr std::size_t kMostDetailed = 3;  // findings with traces, where there are more

// A line for each.
std::string finding_list(const explore::ExploreResult& result, const Describer& describer,
                         const TerminalOptions& options) {
  std::string out = paint(count(result.findings.size(), "finding"), Ink::kBad, options.color) + ":\n";
  for (std::size_t i = 0; i < result.findings.size(); ++i) {
    const explore::Finding& finding = result.findings[i];
    const std::string kind = name_of(finding.failure.kind), place = finding_position(finding, describer);
    const std::string message = finding.failure.message.substr(0, finding.failure.message.find('\n'));
    const bool says_kind = message.starts_with(kind);
    out += wrapped(fmt::format("  bug {}: ", i + 1),
                   (says_kind ? "" : kind + ": ") + message + (place.empty() ? "" : " at " + place), 9, options.width);
  }
  return out;
}

std::string verdict_line(const explore::ExploreResult& r, bool color) {
  switch (r.verdict()) {
    case explore::Verdict::kBug:
      if (std::all_of(r.findings.begin(), r.findings.end(),
                      [](const auto& f) { return f.failure.kind == FailureKind::kReachable; }))
        return paint("verdict: reachable", Ink::kGood, color) + " (" + count(r.findings.size(), "state") + " shown)";
      return paint("verdict: bug", Ink::kBad, color) + " (" + count(r.findings.size(), "distinct finding") + ")";
    case explore::Verdict::kNoBug:
      return paint("verdict: no bug", Ink::kGood, color);
    case explore::Verdict::kInconclusive:
      return paint("verdict: inconclusive", Ink::kUnsure, color);
  }
  return {};
}

// "optimal-dpor 20971 executions; random 72; optimal-dpor --preemptions=0 14 (all)"
std::string parts_text(const explore::ExploreResult& r) {
  std::string out;
  for (const explore::PartResult& part : r.parts)
    out += fmt::format("{}{} {}{}", out.empty() ? "" : "; ", part.algorithm,
                       out.empty() ? count(part.executions, "execution") : std::to_string(part.executions),
                       part.ended ? " (all)" : "");
  return out;
}

std::string summary(const explore::ExploreResult& r, const Describer& describer, const TerminalOptions& options) {
  std::string out = verdict_line(r, options.color);
  out += r.exhausted() ? ", exhausted: everything within the stated bounds was explored" : ", not exhausted";
  if (!r.reason().empty()) out += ": " + r.reason();
  out += fmt::format("\n{}: {}, {}", r.algorithm, count(r.executions, "execution"), count(r.classes, "class"));
  if (r.deadlocked > 0) out += fmt::format(", {} deadlocked", r.deadlocked);
  if (r.asleep > 0) out += fmt::format(", {} asleep", r.asleep);
  if (r.cut > 0) out += fmt::format(", {} cut", r.cut);
  if (r.infeasible > 0) out += fmt::format(", {} infeasible", r.infeasible);
  if (r.states > 0) out += fmt::format(", {}", count(r.states, "state"));
  out += fmt::format(", {}, {:.3f} s\n", count(r.steps, "step"), r.seconds);
  // Beside a search of every class that has ended, the others have nothing to say.
  if (!r.parts.empty() && !r.parts.front().ended) out += wrapped("parts: ", parts_text(r), 7, options.width);
  if (r.estimate.total > static_cast<double>(r.searched()))
    out += fmt::format("estimate: {:.2g} executions in all (between {:.2g} and {:.2g}), so about {:.2g} % were done\n",
                       r.estimate.total, r.estimate.low, r.estimate.high,
                       100 * static_cast<double>(r.searched()) / r.estimate.total);
  else if (r.estimate.total > 0)
    out += fmt::format("estimate: more than {:.2g} executions in all; random probes could not tell how many\n",
                       r.estimate.total);
  for (const explore::PropertyAnswer& p : r.properties)
    out += wrapped(p.kind + ": ", p.text + ": " + p.answer, p.kind.size() + 2, options.width);
  for (const Assumption& assumption : r.assumptions)
    out += wrapped("assuming: ", to_text(assumption, describer), 10, options.width);
  const bool weaker = std::any_of(r.assumptions.begin(), r.assumptions.end(), [](const Assumption& assumption) {
    return assumption.kind == trace::AssumptionKind::kSequentialConsistency &&
           assumption.text.find("execution graphs") == std::string::npos;  // tried already
  });
  if (weaker) out += wrapped("hint: ", "what weaker orders allow is explored with --memory=c++20", 6, options.width);
  return out;
}

}  // namespace

std::string terminal_report(const explore::ExploreResult& result, const Describer& describer,
                            const TerminalOptions& options) {
  std::string out;
  const std::size_t all = result.findings.size();
  const std::size_t shown = options.all_details ? all : std::min(all, kMostDetailed);
  if (shown < all) out += finding_list(result, describer, options) + '\n';
  for (std::size_t i = 0; i < shown; ++i) out += finding_text(result.findings[i], i + 1, describer, options);
  if (shown < all) out += fmt::format("bugs {} to {} in the same detail: --all-details\n\n", shown + 1, all);
  out += summary(result, describer, options);
  if (result.relaxation) out += '\n' + relaxation_table(*result.relaxation, describer);
  return out;
}

}  // namespace heddle::report
