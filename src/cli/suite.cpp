// A suite is explored test by test. With a budget for all of them (--total-seconds) it is shared: a first round gives
// every test a small part of its share, which is enough for most; those that did not end have what is left in equal
// parts, and what one of them leaves goes to the ones after it. A test that is begun again has lost its part of the
// first round, an eighth of the budget in all.
#include "cli/suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>

#include "cli/command_line.h"
#include "explore/verdict.h"
#include "report/junit.h"

namespace heddle::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kFirstRound = 1.0 / 8;  // of the budget

// What the table at the end says of a test.
struct Row {
  std::string test;
  int code = kExitError;
  std::string outcome;
  std::uint64_t executions = 0;
  double seconds = 0;
  const char* word = "error";
  bool proved = false;  // no bug, and schedules could have made a difference
};

bool ended_by_time(const ExploredProgram& explored) {
  return explored.result.has_gap(explore::Cause::kTimeBudget) && explored.result.findings.empty();
}

std::string outcome_of(const ExploredProgram& explored) {
  const explore::ExploreResult& result = explored.result;
  if (!result.findings.empty()) {
    const auto& finding = result.findings.front();
    const std::string place = explored.describer->position(finding.failure.where);
    return std::string(trace::name_of(finding.failure.kind)) + (place.empty() ? "" : " at " + place);
  }
  if (explored.skipped) return "the test skips itself";
  if (explored.alone) return "no second thread";
  return result.exhausted() && result.reason().empty() ? "exhausted" : result.reason();
}

Row row_of(const std::string& test, int code, const ExploredProgram& explored) {
  constexpr const char* kWords[] = {"no bug", "BUG", "unsure", "error"};
  Row row{test, code, outcome_of(explored), explored.result.executions, explored.result.seconds, kWords[code]};
  if (explored.skipped)
    row.word = "skip";
  else if (explored.alone)
    row.word = "alone";
  else
    row.proved = code == kExitNoBug;
  return row;
}

class Suite {
 public:
  Suite(const RunRequest& request, const ExploreOne& explore, const ShowOne& show)
      : request_(request), explore_(explore), show_(show), began_(Clock::now()) {}

  Result<int> run(const std::vector<std::string>& tests) {
    std::vector<std::string> open = tests;
    if (request_.total_seconds && tests.size() > 1) {
      const double part = *request_.total_seconds * kFirstRound / static_cast<double>(tests.size());
      std::vector<std::string> unfinished;
      for (const std::string& test : tests) {
        auto done = attempt(test, part, Round::kFirst);
        if (!done) return done.error();
        if (!*done) unfinished.push_back(test);
        if (interrupted_) return conclude(tests);
      }
      open = std::move(unfinished);
    }
    for (std::size_t i = 0; i < open.size() && !interrupted_; ++i) {
      std::optional<double> part;
      if (request_.total_seconds) part = std::max(0.0, left()) / static_cast<double>(open.size() - i);
      auto done = attempt(open[i], part, Round::kLast);
      if (!done) return done.error();
    }
    return conclude(tests);
  }

 private:
  enum class Round { kFirst, kLast };

  double left() const { return *request_.total_seconds - std::chrono::duration<double>(Clock::now() - began_).count(); }

  // Explores one test and shows what came out, but for one of the first round whose time was too short: false.
  Result<bool> attempt(const std::string& test, std::optional<double> part, Round round) {
    auto own = request_for(test);
    if (!own) return own.error();
    RunRequest one = std::move(*own);
    if (part) one.max_seconds = std::min(*part, one.max_seconds.value_or(*part));
    const bool cut_short = part && one.max_seconds == *part;
    const auto say_which = [&] {
      if (!request_.quiet) std::fputs(("test " + test + "\n").c_str(), stdout);
    };
    if (round == Round::kLast) say_which();
    auto explored = explore_(one);
    if (!explored) {  // the others need not suffer from it
      std::fflush(stdout);
      std::fprintf(stderr, "heddle: test %s: %s\n", test.c_str(), explored.error().message.c_str());
      rows_.push_back({test, kExitError, "could not be run"});
      return true;
    }
    interrupted_ = explored->result.has_gap(explore::Cause::kInterrupted);
    if (round == Round::kFirst && ended_by_time(*explored) && cut_short) return false;
    if (request_.reports.junit)
      suites_.push_back(
          report::junit_suite(explored->result, *explored->describer, explored->origin, test, explored->skipped));
    if (round == Round::kFirst) say_which();
    auto code = show_(one, *explored);
    if (!code) return code.error();
    if (!request_.quiet) std::fputs("\n", stdout);
    rows_.push_back(row_of(test, *code, *explored));
    return true;
  }

  Result<int> conclude(const std::vector<std::string>& tests) {
    std::stable_sort(rows_.begin(), rows_.end(), [&](const Row& a, const Row& b) {
      return std::find(tests.begin(), tests.end(), a.test) < std::find(tests.begin(), tests.end(), b.test);
    });
    if (!request_.quiet) std::fputs((table() + summary()).c_str(), stdout);
    if (request_.reports.junit &&
        !(std::ofstream(*request_.reports.junit) << report::junit_document(suites_) << std::flush))
      return Error{"cannot write \"" + *request_.reports.junit + "\"; check that its folder exists and is writable"};
    for (const int code : {kExitBug, kExitError, kExitInconclusive})
      if (count(code) > 0) return code;
    return kExitNoBug;
  }

  // "out.html" becomes "out-Suite.Test.html".
  static void set_apart(std::optional<std::string>& path, const std::string& test) {
    if (!path) return;
    std::string name = test;
    std::replace(name.begin(), name.end(), '/', '_');
    const std::filesystem::path whole(*path);
    path = (whole.parent_path() / (whole.stem().string() + "-" + name + whole.extension().string())).string();
  }

  Result<RunRequest> request_for(const std::string& test) const {
    auto one = parsed_again(request_, test);
    if (!one) return one;
    one->reports.junit.reset();
    for (auto* path :
         {&one->json, &one->save, &one->reports.html, &one->reports.sarif, &one->inputs.coverage, &one->inputs.tests})
      set_apart(*path, test);
    return one;
  }

  std::size_t count(int code) const {
    return static_cast<std::size_t>(
        std::count_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.code == code; }));
  }

  std::string table() const {
    std::size_t width = 4;
    for (const Row& row : rows_) width = std::max(width, row.test.size());
    std::string text = fmt::format("{:<6}  {:<{}}  {:>10}  {:>8}\n", "", "test", width, "executions", "seconds");
    for (const Row& row : rows_)
      text += fmt::format("{:<6}  {:<{}}  {:>10}  {:>8.3f}  {}\n", row.word, row.test, width, row.executions,
                          row.seconds, row.outcome);
    return text;
  }

  std::string summary() const {
    const auto called = [&](std::string_view word) {
      return std::count_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.word == word; });
    };
    std::string text =
        fmt::format("{} tests: {} with a bug, {} without, {} inconclusive", rows_.size(), count(kExitBug),
                    std::count_if(rows_.begin(), rows_.end(), std::mem_fn(&Row::proved)), count(kExitInconclusive));
    if (called("alone") > 0) text += fmt::format(", {} without a second thread", called("alone"));
    if (called("skip") > 0) text += fmt::format(", {} skipped", called("skip"));
    if (count(kExitError) > 0) text += fmt::format(", {} could not be run", count(kExitError));
    return text + "\n";
  }

  const RunRequest& request_;
  const ExploreOne& explore_;
  const ShowOne& show_;
  const Clock::time_point began_;
  std::vector<Row> rows_;
  std::vector<report::JunitSuite> suites_;
  bool interrupted_ = false;
};

}  // namespace

Result<int> run_suite(const RunRequest& request, const std::vector<std::string>& tests, const ExploreOne& explore,
                      const ShowOne& show) {
  return Suite(request, explore, show).run(tests);
}

}  // namespace heddle::cli
