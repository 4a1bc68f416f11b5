// `heddle run`: explore, with progress and Ctrl-C, then present.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "cli/commands.h"
#include "cli/corpus.h"
#include "cli/front_end.h"
#include "cli/present.h"
#include "cli/progress.h"
#include "base/spelling.h"
#include "cli/statistics.h"
#include "cli/test_filter.h"
#include "report/junit.h"

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

void add_note(Explored& explored, const std::string& note) {
  if (!note.empty()) explored.note += (explored.note.empty() ? "" : "; ") + note;
}

// The corpus first, if there is one; then the exploration with its progress.
Result<Explored> explored_with_progress(const RunRequest& request) {
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
  if (interruption.requested() && !explored->result.exhausted()) explored->result.gaps = {{explore::Cause::kInterrupted}};
  explored->history = std::move(history);
  add_note(*explored, corpus.note);
  // What was found is worth more than a place to keep it in.
  if (request.corpus)
    if (auto error = keep_in_corpus(request, *explored)) std::fprintf(stderr, "heddle: %s\n", error->message.c_str());
  return explored;
}

Result<int> shown(const RunRequest& request, const Explored& explored) {
  auto code = present(explored, {request.json, request.save, request.reports, request.quiet});
  if (code && request.stats && request.json != "-") std::fputs(statistics_table(explored.result).c_str(), stdout);
  return code;
}

// Several tests of one program, each explored on its own, with files of its own and one JUnit document.
class TestRun {
 public:
  explicit TestRun(const RunRequest& request) : request_(request) {}

  Result<int> run(const std::vector<std::string>& tests) {
    std::vector<report::JunitSuite> suites;
    for (const std::string& test : tests) {
      const RunRequest one = request_for(test);
      if (!request_.quiet) std::fputs(("test " + test + "\n").c_str(), stdout);
      auto explored = explored_with_progress(one);
      if (!explored) {   // the others need not suffer from it
        std::fflush(stdout);
        std::fprintf(stderr, "heddle: test %s: %s\n", test.c_str(), explored.error().message.c_str());
        ++refused_;
        continue;
      }
      if (request_.reports.junit)
        suites.push_back(report::junit_suite(explored->result, *explored->describer, explored->origin, test));
      auto code = shown(one, *explored);
      if (!code) return code.error();
      count(*code);
      if (!request_.quiet) std::fputs("\n", stdout);
      if (explored->result.has_gap(explore::Cause::kInterrupted)) break;
    }
    if (!request_.quiet) std::fputs(summary().c_str(), stdout);
    if (request_.reports.junit &&
        !(std::ofstream(*request_.reports.junit) << report::junit_document(suites) << std::flush))
      return Error{"cannot write \"" + *request_.reports.junit + "\"; check that its folder exists and is writable"};
    return bugs_ > 0 ? kExitBug : refused_ > 0 ? kExitError : unsure_ > 0 ? kExitInconclusive : kExitNoBug;
  }

 private:
  // "out.html" becomes "out-Suite.Test.html".
  static void set_apart(std::optional<std::string>& path, const std::string& test) {
    if (!path) return;
    std::string name = test;
    std::replace(name.begin(), name.end(), '/', '_');
    const std::filesystem::path whole(*path);
    path = (whole.parent_path() / (whole.stem().string() + "-" + name + whole.extension().string())).string();
  }

  RunRequest request_for(const std::string& test) const {
    RunRequest one = request_;
    one.native.test = test;
    one.reports.junit.reset();
    for (auto* path :
         {&one.json, &one.save, &one.reports.html, &one.reports.sarif, &one.inputs.coverage, &one.inputs.tests})
      set_apart(*path, test);
    return one;
  }

  std::string summary() const {
    std::string text = fmt::format("{} tests: {} with a bug, {} without, {} inconclusive",
                                   bugs_ + good_ + unsure_ + refused_, bugs_, good_, unsure_);
    if (refused_ > 0) text += fmt::format(", {} could not be run", refused_);
    return text + "\n";
  }

  void count(int code) { ++(code == kExitBug ? bugs_ : code == kExitNoBug ? good_ : unsure_); }

  const RunRequest& request_;
  std::size_t bugs_ = 0, good_ = 0, unsure_ = 0, refused_ = 0;
};

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
  if (wanted->size() == 1) {
    RunRequest one = request;
    one.native.test = wanted->front();
    auto explored = explored_with_progress(one);
    return explored ? shown(one, *explored) : explored.error();
  }
  if (!wanted->empty()) return TestRun(request).run(*wanted);
  auto explored = explored_with_progress(request);
  return explored ? shown(request, *explored) : explored.error();
}

}  // namespace heddle::cli
