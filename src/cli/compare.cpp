// `heddle compare`: every algorithm on one program, side by side. Each runs in a process of its own, so that memory is
// its own and a budget ends one without the others.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "cli/commands.h"
#include "cli/compare.h"
#include "cli/front_end.h"
#include "cli/options.h"
#include "cli/progress.h"

namespace heddle::cli {
namespace {

using explore::Algorithm;

// What a process says of its algorithm, through a pipe; the reason follows as text.
struct Told {
  bool error = false, exhausted = false;
  explore::Verdict verdict = explore::Verdict::kInconclusive;
  std::uint64_t executions = 0, classes = 0, states = 0, events = 0, findings = 0, kilobytes = 0;
  double seconds = 0;
};

std::uint64_t most_kilobytes() {
  rusage self{}, children{};
  getrusage(RUSAGE_SELF, &self);
  getrusage(RUSAGE_CHILDREN, &children);
  return static_cast<std::uint64_t>(std::max(self.ru_maxrss, children.ru_maxrss));
}

void write_all(int to, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t n = ::write(to, at, size);
    if (n <= 0) return;
    at += n;
    size -= static_cast<std::size_t>(n);
  }
}

[[noreturn]] void run_and_tell(const RunRequest& request, int to) {
  auto explored = explore_by_kind(request, [](const explore::Progress&) { return true; });
  Told told;
  std::string reason;
  if (explored) {
    const explore::ExploreResult& r = explored->result;
    told = {false,    r.exhausted(),     r.verdict(), r.executions, r.classes, r.states,
            r.events, r.findings.size(), 0,           r.seconds};
    reason = r.reason();
  } else {
    told.error = true;
    reason = explored.error().message;
  }
  told.kilobytes = most_kilobytes();
  write_all(to, &told, sizeof told);
  write_all(to, reason.data(), reason.size());
  std::fflush(nullptr);
  _exit(0);
}

std::string read_all(int from) {
  std::string text;
  char buffer[4096];
  for (ssize_t n = 0; (n = ::read(from, buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<std::size_t>(n));
  return text;
}

Result<ComparedRow> run_apart(const RunRequest& request) {
  int ends[2];
  if (pipe(ends) != 0) return Error{"cannot make a pipe: " + std::string(std::strerror(errno))};
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) return Error{"cannot start a process: " + std::string(std::strerror(errno))};
  if (child == 0) {
    close(ends[0]);
    run_and_tell(request, ends[1]);
  }
  close(ends[1]);
  const std::string said = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  ComparedRow row;
  row.algorithm = explore::name_of(request.strategy.algorithm);
  Told told;
  if (said.size() < sizeof told) {
    row.verdict = kLost;
    row.reason = "its process ended without a result";
    return row;
  }
  std::memcpy(&told, said.data(), sizeof told);
  row.verdict = told.error ? kRefused : name_of(told.verdict);
  row.reason = said.substr(sizeof told);
  row.exhausted = told.exhausted;
  row.executions = told.executions;
  row.classes = told.classes;
  row.states = told.states;
  row.events = told.events;
  row.findings = told.findings;
  row.seconds = told.seconds;
  row.kilobytes = told.kilobytes;
  return row;
}

std::optional<Error> write(const std::optional<std::string>& path, const std::string& text) {
  if (!path) return std::nullopt;
  if (*path == "-") {
    std::fputs(text.c_str(), stdout);
    return std::nullopt;
  }
  std::ofstream file(*path, std::ios::binary | std::ios::trunc);
  if (file << text << std::flush) return std::nullopt;
  return Error{"cannot write \"" + *path + "\"; check that its folder exists and is writable"};
}

// On a terminal, as it may take minutes. Without a name the line is cleared.
void say_which(std::string_view algorithm, std::size_t number, std::size_t of) {
  if (isatty(STDERR_FILENO) == 0) return;
  std::fputs("\r\x1b[K", stderr);
  if (!algorithm.empty())
    std::fprintf(stderr, "%.*s (%zu of %zu)", static_cast<int>(algorithm.size()), algorithm.data(), number, of);
  std::fflush(stderr);
}

int exit_code(const std::vector<ComparedRow>& rows) {
  bool sure = true;
  for (const ComparedRow& row : rows) {
    if (row.findings > 0) return kExitBug;
    sure = sure && (row.exhausted || row.verdict == kRefused);
  }
  return sure ? kExitNoBug : kExitInconclusive;
}

}  // namespace

Result<int> compare(const CompareRequest& request) {
  if (auto kind = kind_of(request.run.program); !kind) return kind.error();
  RunRequest run = request.run;
  run.all = run.no_minimize = true;
  if (!run.max_seconds && !run.max_executions) run.max_seconds = 10;
  if (!run.program.ends_with(".hed")) {  // so that no algorithm pays for the compiler
    RunRequest first = run;
    first.max_executions = 1;
    auto row = run_apart(first);
    if (!row) return row.error();
    if (!row->ran()) return Error{row->reason};
  }
  std::vector<Algorithm> algorithms = request.algorithms;
  if (algorithms.empty()) take_algorithms("all", algorithms);
  Interruption interruption;
  std::vector<ComparedRow> rows;
  for (const Algorithm algorithm : algorithms) {
    run.strategy.algorithm = algorithm;
    say_which(explore::name_of(algorithm), rows.size() + 1, algorithms.size());
    auto row = run_apart(run);
    if (!row) return row.error();
    rows.push_back(std::move(*row));
    if (interruption.requested()) break;
  }
  say_which({}, 0, 0);
  if (std::none_of(rows.begin(), rows.end(), [](const ComparedRow& row) { return row.ran(); }))
    return Error{rows.front().reason};
  if (request.json != "-" && request.csv != "-") std::fputs(compared_as_text(rows).c_str(), stdout);
  if (request.json)
    if (auto error = write(request.json, compared_as_json(run.program, rows))) return *error;
  if (request.csv)
    if (auto error = write(request.csv, compared_as_csv(rows))) return *error;
  if (request.html)
    if (auto error = write(request.html, compared_as_html(run.program, rows))) return *error;
  return exit_code(rows);
}

}  // namespace heddle::cli
