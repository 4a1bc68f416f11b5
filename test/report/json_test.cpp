#include "report/json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "traces.h"

namespace heddle::report {
namespace {

nlohmann::json report(const explore::Finding& f) {
  SavedSchedule origin;
  origin.program = "dir/file.hed";
  origin.identity = 0x2a;
  return nlohmann::json::parse(json_report(result_with(f), Letters(), origin));
}

TEST(Json, StepsCarryValuesAndMarks) {
  const auto trace = report(lost_update())["findings"][0]["trace"];
  ASSERT_EQ(trace.size(), 7u);
  EXPECT_EQ(trace[2]["thread"], "b");
  EXPECT_EQ(trace[2]["operation"], "write");
  EXPECT_EQ(trace[2]["object"], "x");
  EXPECT_EQ(trace[2]["before"], 0);
  EXPECT_EQ(trace[2]["after"], 1);
  EXPECT_EQ(trace[2]["racing"], true);
  EXPECT_EQ(trace[1]["preempts"], true);
  EXPECT_FALSE(trace[0].contains("racing"));
  EXPECT_EQ(trace[4]["peer"], "a");
}

TEST(Json, AssumptionsHaveTheirPlacesOnce) {
  explore::ExploreResult result = result_with(lost_update());
  result.assumptions.push_back({AssumptionKind::kNoSpuriousWakeUps, "no spurious wake-ups", {3, 7, 3, 0}});
  const auto json = nlohmann::json::parse(json_report(result, Letters(), {}));
  ASSERT_EQ(json["assumptions"].size(), 1u);
  EXPECT_EQ(json["assumptions"][0]["kind"], "no-spurious-wake-ups");
  EXPECT_EQ(json["assumptions"][0]["text"], "no spurious wake-ups");
  EXPECT_EQ(json["assumptions"][0]["places"], (std::vector<std::string>{"dir/file.hed:3:1", "dir/file.hed:7:1"}));
}

TEST(Json, TheScheduleReplays) {
  const auto finding = report(lost_update())["findings"][0];
  auto schedule = parse_schedule(finding["schedule"].get<std::string>());
  ASSERT_TRUE(schedule) << schedule.error().message;
  EXPECT_EQ(schedule->program, "dir/file.hed");
  EXPECT_EQ(schedule->identity, 0x2au);
  EXPECT_EQ(schedule->expect, "assertion");
  EXPECT_EQ(schedule->steps, lost_update().schedule);
}

TEST(Json, ADeadlockHasNoThreadButWaiters) {
  const auto finding = report(TraceBuilder()
                                  .step(0, OpKind::kAcquire, 0)
                                  .step(1, OpKind::kAcquire, 1)
                                  .blocked(0, OpKind::kAcquire, 1)
                                  .blocked(1, OpKind::kAcquire, 0)
                                  .deadlocks())["findings"][0];
  EXPECT_TRUE(finding["thread"].is_null());
  EXPECT_EQ(finding["waiting"].size(), 2u);
}

TEST(Json, BytesThatAreNoTextDoNotBreakIt) {
  EXPECT_EQ(report(TraceBuilder().fails(0, "bad \xff\xfe bytes"))["findings"].size(), 1u);
}

}  // namespace
}  // namespace heddle::report
