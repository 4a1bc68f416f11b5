// The sets of classes themselves, spelt out for programs small enough to check by hand.
#include <gtest/gtest.h>

#include <set>

#include "check/brute_force.h"
#include "explore/explorer.h"

namespace heddle::explore {
namespace {

using check::Script;
using check::Stmt;
using check::StmtKind;

Stmt read(int x) { return {StmtKind::kRead, x, 0, 0, {}}; }
Stmt write(int x) { return {StmtKind::kWrite, x, 1, 0, {}}; }
Stmt locked(int m, std::vector<Stmt> body) { return {StmtKind::kLocked, m, 0, 0, std::move(body)}; }

std::set<std::string> classes_of(const Script& script, Algorithm algorithm = Algorithm::kOptimalDpor) {
  check::ScriptProgram program(script);
  std::set<std::string> forms;
  ExploreOptions options;
  options.strategy.algorithm = algorithm;
  options.all = true;
  options.on_execution = [&](const Execution& e) { forms.insert(check::canonical_form(e)); };
  const auto result = explore(program, options);
  EXPECT_TRUE(result.ok() && result.value().exhausted());
  EXPECT_EQ(result.value().executions, forms.size());  // each exactly once
  return forms;
}

TEST(Classes, OfTheLostUpdate) {
  Script script;
  script.variables = 1;
  script.threads = {{read(0), write(0)}, {read(0), write(0)}};
  EXPECT_EQ(classes_of(script), (std::set<std::string>{
                                    "0read0 0write0 1read0 1write0 ",
                                    "0read0 1read0 0write0 1write0 ",
                                    "0read0 1read0 1write0 0write0 ",
                                    "1read0 1write0 0read0 0write0 ",
                                }));
}

TEST(Classes, OfStoreBuffering) {
  Script script;
  script.threads = {{write(0), read(1)}, {write(1), read(0)}};
  EXPECT_EQ(classes_of(script), (std::set<std::string>{
                                    "0write0 0read1 1write1 1read0 ",
                                    "0write0 1write1 0read1 1read0 ",
                                    "1write1 1read0 0write0 0read1 ",
                                }));
}

TEST(Classes, OfTwoCriticalSections) {
  Script script;
  script.variables = 1;
  script.threads = {{locked(0, {read(0)})}, {locked(0, {read(0)})}};
  EXPECT_EQ(classes_of(script), (std::set<std::string>{
                                    "0lock1 0read0 0unlock1 1lock1 1read0 1unlock1 ",
                                    "1lock1 1read0 1unlock1 0lock1 0read0 0unlock1 ",
                                }));
}

TEST(Classes, OfALockOrderInversion) {
  Script script;
  script.variables = 1;
  script.locks = 2;
  script.threads = {{locked(0, {locked(1, {})})}, {locked(1, {locked(0, {})})}};
  EXPECT_EQ(classes_of(script), (std::set<std::string>{
                                    "0lock1 0lock2 0unlock2 0unlock1 1lock2 1lock1 1unlock1 1unlock2 ",
                                    "0lock1 1lock2 ",
                                    "1lock2 1lock1 1unlock1 0lock1 1unlock2 0lock2 0unlock2 0unlock1 ",
                                }));
}

// A signal that finds two waiters is two classes; one that comes too early leaves somebody waiting.
TEST(Classes, OfASignalWithTwoWaiters) {
  const Stmt wait{StmtKind::kWait, 0, 0, 0, {}};
  Script script;
  script.variables = 1;
  script.threads = {{locked(0, {wait})}, {locked(0, {wait})}, {{StmtKind::kSignal, 0, 0, 0, {}}}};
  const auto truth = check::brute_force(script, 100'000);
  ASSERT_TRUE(truth);
  std::set<std::string> forms;
  for (const auto& [form, preemptions] : truth->classes) forms.insert(form);
  EXPECT_EQ(classes_of(script), forms);
  int to_first = 0, to_second = 0;
  for (const std::string& form : forms) {
    to_first += form.find("2signal2>0") != form.npos && form.find("0wait2") < form.find("2signal2>0");
    to_second += form.find("2signal2>1") != form.npos;
  }
  EXPECT_GT(to_first, 0);
  EXPECT_GT(to_second, 0);
}

// A failed compare-and-swap is a read: the two threads that fail commute.
TEST(Classes, OfFailedSwaps) {
  const Stmt swap{StmtKind::kCas, 0, 7, 1, {}};
  Script script;
  script.variables = 1;
  script.threads = {{swap}, {swap}, {swap}};
  EXPECT_EQ(classes_of(script).size(), 1u);
}

TEST(Classes, ReadersAreTwoToTheN) {
  Script script;
  script.variables = 1;
  script.threads = {{write(0)}};
  for (std::size_t n = 1; n <= 6; ++n) {
    script.threads.push_back({read(0)});
    EXPECT_EQ(classes_of(script).size(), 1u << n);
  }
}

}  // namespace
}  // namespace heddle::explore
