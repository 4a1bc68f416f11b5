// `heddle run`: explore, with progress and Ctrl-C, then present.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/spelling.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/corpus.h"
#include "cli/front_end.h"
#include "cli/present.h"
#include "cli/progress.h"
#include "cli/statistics.h"
#include "cli/suite.h"
#include "cli/test_filter.h"
#include "cli/watch.h"

namespace heddle::cli {
namespace {

// A file that cannot be written should be known before an hour of exploring, not after.
std::optional<Error> unwritable(const std::optional<std::string>& path) {
  if (!path || *path == "-") return std::nullopt;
  std::error_code error;
  const bool existed = std::filesystem::exists(*path, error);
  if (std::ofstream(*path, std::ios::app)) {
    if (!existed) std::filesystem::remove(*path, error);
    return std::nullopt;
  }
  return Error{"cannot write \"" + *path + "\"; check that its folder exists and is writable"};
}

// A run of a week must not fill the memory with samples: when there are many, every other one is enough.
void remember(std::vector<explore::Progress>& history, const explore::Progress& progress) {
  constexpr std::size_t kMost = 4096;
  if (history.size() == kMost)
    for (std::size_t i = 0; 2 * i < history.size(); ++i) history[i] = history[2 * i];
  if (history.size() == kMost) history.resize(kMost / 2);
  history.push_back(progress);
}

void add_note(ExploredProgram& explored, const std::string& note) {
  if (!note.empty()) explored.note += (explored.note.empty() ? "" : "; ") + note;
}

// The corpus first, if there is one; then the exploration with its progress.
Result<ExploredProgram> explored_with_progress(const RunRequest& request) {
  CorpusRun corpus;
  if (request.corpus) {
    auto done = run_corpus(request);
    if (!done) return done.error();
    corpus = std::move(*done);
  }
  if (corpus.failed) {
    add_note(*corpus.failed, corpus.note);
    return std::move(*corpus.failed);
  }
  Interruption interruption;
  ProgressLine line(request.quiet ? ProgressLine::Mode::kNone : ProgressLine::Mode::kShown, request.progress_seconds);
  std::vector<explore::Progress> history;
  auto explored = explore_by_kind(request, [&](const explore::Progress& progress) {
    line.show(progress);
    remember(history, progress);
    return !interruption.requested();
  });
  line.clear();
  if (!explored) return explored.error();
  if (interruption.requested() && !explored->result.exhausted())
    explored->result.gaps = {{explore::Cause::kInterrupted}};
  explored->history = std::move(history);
  add_note(*explored, corpus.note);
  if (!request.from_settings.empty()) {
    std::string words = "by the project's settings:";
    for (const std::string& word : request.from_settings) words += " " + word;
    add_note(*explored, words);
  }
  if (request.relax && !explored->result.relaxation)
    add_note(*explored, "--relax tries weaker orders only where nothing fails and every execution was looked at");
  // What was found is worth more than a place to keep it in.
  if (request.corpus)
    if (auto error = keep_in_corpus(request, *explored)) std::fprintf(stderr, "heddle: %s\n", error->message.c_str());
  return explored;
}

Result<int> shown(const RunRequest& request, const ExploredProgram& explored) {
  auto code = present(explored, {request.json, request.save, request.reports, request.quiet, request.all_details});
  if (code && request.stats && request.json != "-") std::fputs(statistics_table(explored.result).c_str(), stdout);
  return code;
}

// The tests that the request means. Nothing: the whole program.
Result<std::vector<std::string>> wanted_tests(const RunRequest& request, const std::vector<std::string>& all) {
  const NativeRequest& native = request.native;
  if (all.empty() && (!native.filter.empty() || !native.test.empty() || native.list_tests))
    return Error{"\"" + request.program +
                 "\" has no tests (HEDDLE_TEST or GoogleTest); drop --test, --filter and --list-tests"};
  if (!native.test.empty()) {
    if (std::find(all.begin(), all.end(), native.test) != all.end()) return std::vector<std::string>();
    const std::string_view meant = nearest(native.test, {all.begin(), all.end()});
    return Error{"the program has no test \"" + native.test + "\"" +
                 (meant.empty() ? "; --list-tests shows them" : "; did you mean \"" + std::string(meant) + "\"?")};
  }
  std::vector<std::string> some;
  for (const std::string& test : all)
    if (native.filter.empty() || matches_filter(test, native.filter)) some.push_back(test);
  if (some.empty() && !all.empty())
    return Error{"no test matches --filter=" + native.filter + "; --list-tests shows them"};
  if (some.size() > 1 && request.json == "-")
    return Error{"--json=- takes one test, and there are " + std::to_string(some.size()) +
                 "; add --test=NAME, or name a file"};
  return some;
}

}  // namespace

Result<int> run(const RunRequest& request) {
  if (request.watch) {
    return watch(request, [&]() -> Result<int> {
      auto again = parsed_again(request);
      if (!again) return again.error();
      again->watch = false;
      return run(*again);
    });
  }
  for (const auto* path : {&request.json, &request.save, &request.reports.html, &request.reports.junit,
                           &request.reports.sarif, &request.inputs.coverage})
    if (auto error = unwritable(*path)) return *error;
  auto all = tests_of(request);
  if (!all) return all.error();
  auto wanted = wanted_tests(request, *all);
  if (!wanted) return wanted.error();
  if (request.native.list_tests) {
    for (const std::string& test : *wanted) std::puts(test.c_str());
    return kExitNoBug;
  }
  if (wanted->size() > 1) return run_suite(request, *wanted, explored_with_progress, shown);
  RunRequest one = request;
  if (!wanted->empty()) {
    auto own = parsed_again(request, wanted->front());
    if (!own) return own.error();
    one = std::move(*own);
  }
  if (request.total_seconds) one.max_seconds = std::min(*request.total_seconds, one.max_seconds.value_or(1e9));
  auto explored = explored_with_progress(one);
  return explored ? shown(one, *explored) : explored.error();
}

}  // namespace heddle::cli
