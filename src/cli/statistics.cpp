#include "cli/statistics.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

namespace heddle::cli {
namespace {

// Two digits are more than an estimate can keep.
std::string rounded(double value) {
  if (value < 100) return fmt::format("{:.0f}", value);
  const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
  const double near = std::round(value / unit) * unit;
  return near < 1e9 ? fmt::format("{:.0f}", near) : fmt::format("{:.1e}", near);
}

std::string duration(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 100 * 60) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{:.0f} h", seconds / 3600);
  return rounded(seconds / 86400) + " days";
}

std::string per_second(std::uint64_t count, double seconds) {
  return fmt::format("{:.0f}", seconds > 0 ? static_cast<double>(count) / seconds : 0);
}

// What samples have shown, and how likely the next one is to show something new.
std::string curve_table(const std::vector<explore::SamplePoint>& curve) {
  if (curve.empty()) return {};
  std::string out =
      fmt::format("\n  {:>12}{:>14}{:>18}{:>20}\n", "samples", "classes", "reads-from pairs", "next one is new");
  for (const explore::SamplePoint& point : curve)
    out +=
        fmt::format("  {:>12}{:>14}{:>18}{:>18.2f} %\n", point.samples, point.classes, point.pairs, 100 * point.unseen);
  return out;
}

}  // namespace

std::string progress_text(const explore::Progress& p) {
  const auto counted = [](std::uint64_t n, const char* one, const char* many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
  };
  std::string text = fmt::format("{}, {}, {}/s, depth {}", counted(p.executions, "execution", "executions"),
                                 counted(p.classes, "class", "classes"), per_second(p.executions, p.seconds), p.depth);
  if (p.findings > 0) text += fmt::format(", {} bug{}", p.findings, p.findings == 1 ? "" : "s");
  const auto done = static_cast<double>(p.executions);
  if (p.estimate.total > done && p.executions > 0) {
    const double rate = done / std::max(p.seconds, 1e-6);
    text += fmt::format(", estimated {} in all ({} to {}), {} left", rounded(p.estimate.total), rounded(p.estimate.low),
                        rounded(p.estimate.high), duration((p.estimate.total - done) / rate));
  }
  return text;
}

std::string solver_table(const symbolic::QueryCounts& s) {
  const auto share = [&](std::uint64_t n) {
    return fmt::format("{} ({:.1f} %)", n,
                       100.0 * static_cast<double>(n) / static_cast<double>(std::max<std::uint64_t>(1, s.asked)));
  };
  return fmt::format(
      "solver: {} questions, without a solver {}\n"
      "  by the inputs at hand {}, contradiction {}, cache {}, recent inputs {}, linear {}, inversion {}\n"
      "  by CaDiCaL {}, Z3 {}, undecided {}; wrong models {}\n"
      "  median solver call {:.3f} ms, 95 % within {:.3f} ms\n"
      "  executions begun again with other inputs: {}\n",
      s.asked, share(s.without_solver()), share(s.by_hint), share(s.by_contradiction), share(s.by_cache),
      share(s.by_reuse), share(s.by_linear), share(s.by_inversion), share(s.by_cadical), share(s.by_z3),
      share(s.unknown), s.wrong_models, s.median_call / 1000, s.late_call / 1000, s.restarts);
}

std::string statistics_table(const explore::ExploreResult& r) {
  const double mean = r.executions > 0 ? static_cast<double>(r.steps) / static_cast<double>(r.executions) : 0;
  std::uint64_t spent = 0;
  for (const explore::Finding& finding : r.findings) spent += finding.explanation.runs;
  const std::vector<std::pair<const char*, std::string>> rows = {
      {"executions", std::to_string(r.executions)},
      {"  per second", per_second(r.executions, r.seconds)},
      {"  asleep", std::to_string(r.asleep)},
      {"  cut", std::to_string(r.cut)},
      {"  infeasible", std::to_string(r.infeasible)},
      {"classes", std::to_string(r.classes)},
      {"  deadlocked", std::to_string(r.deadlocked)},
      {"  failed", std::to_string(r.failed)},
      {"states", std::to_string(r.states)},
      {"steps", std::to_string(r.steps)},
      {"  per execution", fmt::format("{:.1f}", mean)},
      {"  per second", per_second(r.steps, r.seconds)},
      {"findings", std::to_string(r.findings.size())},
      {"  executions to explain them", std::to_string(spent)},
      {"seconds", fmt::format("{:.3f}", r.seconds)},
  };
  std::string out = "\nstatistics\n";
  for (const auto& [name, value] : rows) out += fmt::format("  {:<30}{:>14}\n", name, value);
  return out + curve_table(r.curve);
}

}  // namespace heddle::cli
