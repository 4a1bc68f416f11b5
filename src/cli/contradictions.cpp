#include "cli/contradictions.h"

#include <filesystem>

#include "explore/explores_graphs.h"

namespace heddle::cli {

using explore::Algorithm;

std::optional<Error> misplaced(const RunRequest& r, const Given& given, const std::vector<OptionRow>& rows) {
  const bool model = r.program.ends_with(".hed");
  if (!model) {
    if (r.strategy.match_values) return Error{"--match=values is for models (.hed); drop it"};
    return std::nullopt;
  }
  for (const OptionRow& row : rows)
    if (std::string_view(row.group) == kNativeGroup && given(row.name))
      return Error{std::string(row.name) + " is for C and C++ programs, and \"" + r.program + "\" is a model; drop it"};
  if (!r.native.flags.empty() || !r.native.arguments.empty())
    return Error{"what follows \"--\" is for C and C++ programs, and \"" + r.program +
                 "\" is a model; set its constants with -D"};
  return std::nullopt;
}

std::optional<Error> clashing_files(const std::string& read, std::vector<NamedFile> files,
                                    const ReportRequest& reports) {
  files.insert(files.end(), {{"--html", reports.html}, {"--junit", reports.junit}, {"--sarif", reports.sarif}});
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto& [option, path] = files[i];
    if (!path) continue;
    std::error_code none;
    if (*path == read || std::filesystem::equivalent(*path, read, none))
      return Error{std::string(option) + " would write over \"" + read + "\", which is read; give another file"};
    if (*path == "-" && std::string_view(option) != "--json")
      return Error{std::string(option) + " needs a file, not standard output; use --json=- for that"};
    for (std::size_t j = i + 1; j < files.size(); ++j)
      if (files[j].second == path)
        return Error{std::string(option) + " and " + files[j].first + " name the same file \"" + *path +
                     "\"; give two"};
  }
  return std::nullopt;
}

std::optional<Error> when_alone(const RunRequest& r) {
  if (r.properties.when.empty() || !r.properties.statements.empty()) return std::nullopt;
  return Error{"--when goes with --reachable, --never or --always; add one of them"};
}

namespace {

std::optional<Error> cannot_serve(const RunRequest& r) {
  if (!r.serve) return r.tls.empty() ? std::nullopt : std::optional(Error{"--tls is for --serve; drop it"});
  if (*r.serve != "local" && !r.serve->starts_with("nats://"))
    return Error{"--serve takes nats://HOST:PORT, or local, not \"" + *r.serve + "\""};
  if (r.strategy.algorithm == Algorithm::kTrust)
    return Error{"trust is not explored by several machines; drop --serve"};
  if (r.check || r.inputs.tests || r.inputs.coverage)
    return Error{
        "--serve does not go with --check, --tests or --coverage, which follow one explorer; drop one of them"};
  if (!r.properties.statements.empty())
    return Error{"--serve does not look for properties of global states; drop it, or the property"};
  if (r.relax) return Error{"--relax is for one explorer; drop --serve"};
  return std::nullopt;
}

}  // namespace

std::optional<Error> contradiction(const RunRequest& r, const Given& given) {
  const std::string algorithm(explore::name_of(r.strategy.algorithm));
  if (given("--pct-depth") && r.strategy.algorithm != Algorithm::kPct)
    return Error{"--pct-depth is for --algorithm=pct, not for " + algorithm + "; drop one of the two"};
  if (given("--pct-depth") && r.strategy.pct_depth == 0) return Error{"--pct-depth: a bug has a depth of at least 1"};
  if (given("--order") && explore::family_of(r.strategy.algorithm) == explore::Family::kSampling)
    return Error{"--order is for algorithms that search a tree; " + algorithm + " samples: drop one of the two"};
  if (r.jobs == 0 || r.jobs > 64) return Error{"-j: give a number of explorers from 1 to 64"};
  if (r.jobs > 1 && (r.check || r.inputs.tests || r.inputs.coverage))
    return Error{"-j does not go with --check, --tests or --coverage, which follow one explorer; drop one of them"};
  if (r.journal && (r.check || r.inputs.tests || r.inputs.coverage))
    return Error{
        "--journal does not go with --check, --tests or --coverage, which follow a search from its beginning; drop one "
        "of "
        "them"};
  if (r.inputs.coverage && r.native.instrument != "pass")
    return Error{"--coverage is counted by Heddle's pass; drop it, or --instrument=" + r.native.instrument};
  if (explores_graphs(r.strategy) && r.check)
    return Error{
        "--check compares interleavings, and trust explores execution graphs, as does --memory; drop one of them"};
  if (r.relax && r.strategy.memory != trace::MemoryModel::kCpp20)
    return Error{"--relax asks what the memory model of C++ would allow with weaker orders; drop it, or --memory=" +
                 std::string(trace::name_of(*r.strategy.memory))};
  if (r.relax && explore::family_of(r.strategy.algorithm) == explore::Family::kSampling)
    return Error{"--relax looks at all executions with other orders, and " + algorithm + " samples; drop one of them"};
  if (r.relax && r.jobs > 1) return Error{"--relax is for one explorer; drop -j"};
  if (auto error = cannot_serve(r)) return error;
  if (given("--global") &&
      (!explore::covers_local_states(r.strategy.algorithm) || r.strategy.algorithm == Algorithm::kStateful))
    return Error{"--global is for algorithms that unfold, not for " + algorithm +
                 "; drop it, or add --algorithm=unfolding, contextual-unfolding or stateful-unfolding"};
  if (r.max_executions == 0) return Error{"--max-executions=0 would run nothing; give at least 1"};
  if (!r.native.test.empty() && !r.native.filter.empty())
    return Error{"--test names one test and --filter several; drop one of them"};
  if (r.max_steps == 0) return Error{"--max-steps=0 would cut every execution at once; give at least 1"};
  if (auto error = when_alone(r)) return error;
  if (auto error = clashing_files(
          r.program,
          {{"--save", r.save}, {"--json", r.json}, {"--coverage", r.inputs.coverage}, {"--journal", r.journal}},
          r.reports))
    return error;
  return explore::contradiction_in(r.strategy);
}

}  // namespace heddle::cli
