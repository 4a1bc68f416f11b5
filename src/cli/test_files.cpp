#include "cli/test_files.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "trace/input_names.h"

namespace heddle::cli {
namespace {

using trace::Outcome;

// Runs `heddle replay` on every schedule of its folder. A schedule saved for a finding must show it again; the others
// must end without one.
constexpr const char* kSkeleton =
    R"text(// Replays every schedule beside this file. Build with GoogleTest; HEDDLE names the heddle command.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

TEST(Schedules, ReplayAsExplored) {
  const char* heddle = std::getenv("HEDDLE");
  const std::string command = heddle != nullptr ? heddle : "heddle";
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(__FILE__).parent_path())) {
    if (entry.path().extension() != ".schedule") continue;
    std::ifstream file(entry.path());
    bool fails = false;
    for (std::string line; std::getline(file, line);) fails = fails || line.rfind("expect ", 0) == 0;
    const int status = std::system((command + " replay --quiet '" + entry.path().string() + "'").c_str());
    EXPECT_EQ(WEXITSTATUS(status), fails ? 1 : 2) << entry.path();   // 2: one execution is never everything
  }
}

}  // namespace
)text";

}  // namespace

Result<TestFiles> TestFiles::in(const std::string& folder, const trace::SavedSchedule& origin,
                                const trace::Describer& describer) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::ofstream skeleton(std::filesystem::path(folder) / "replay_test.cpp", std::ios::trunc);
  skeleton << kSkeleton << std::flush;
  if (!skeleton) return Error{"cannot write into \"" + folder + "\"; check that it is a folder and writable"};
  return TestFiles(folder, origin, describer);
}

void TestFiles::add(const trace::Execution& execution) {
  const bool ended = execution.outcome == Outcome::kComplete || execution.outcome == Outcome::kDeadlock ||
                     execution.outcome == Outcome::kFailed;
  if (!ended) return;
  trace::SavedSchedule schedule = origin_;
  schedule.inputs = trace::inputs_by_name(execution, *describer_);
  if (!execution.failures.empty()) schedule.expect = trace::name_of(execution.failures.front().kind);
  for (const trace::Step& s : execution.steps) schedule.steps.push_back({s.thread, s.choice});
  char name[32];
  std::snprintf(name, sizeof name, "path-%06zu.schedule", ++count_);
  std::ofstream(std::filesystem::path(folder_) / name, std::ios::trunc) << to_text(schedule);
}

}  // namespace heddle::cli
