#include "trace/schedule.h"

#include <gtest/gtest.h>

namespace heddle::trace {
namespace {

Decision step(std::uint16_t thread, std::uint16_t choice = 0) { return {ThreadId(thread), choice}; }

SavedSchedule example() {
  SavedSchedule s;
  s.program = "examples/with a space.hed";
  s.identity = 0xfeedfacecafebeefull;
  s.defines = {{"n", 16}, {"limit", -3}};
  s.input_seed = 18446744073709551615ull;
  s.expect = "assertion";
  for (int i = 0; i < 300; ++i) s.steps.push_back(step(static_cast<std::uint16_t>(i % 7)));
  for (int i = 0; i < 50; ++i) s.steps.push_back(step(2, 1));
  return s;
}

void expect_equal(const SavedSchedule& a, const SavedSchedule& b) {
  EXPECT_EQ(a.program, b.program);
  EXPECT_EQ(a.identity, b.identity);
  EXPECT_EQ(a.defines, b.defines);
  EXPECT_EQ(a.input_seed, b.input_seed);
  EXPECT_EQ(a.expect, b.expect);
  EXPECT_EQ(a.steps, b.steps);
}

std::string error_of(std::string_view text) {
  auto parsed = parse_schedule(text);
  return parsed ? std::string("no error") : parsed.error().message;
}

TEST(Schedule, RoundTrip) {
  auto parsed = parse_schedule(to_text(example()));
  ASSERT_TRUE(parsed) << parsed.error().message;
  expect_equal(*parsed, example());
}

TEST(Schedule, RoundTripOfAnEmptyOne) {
  auto parsed = parse_schedule(to_text({}));
  ASSERT_TRUE(parsed) << parsed.error().message;
  expect_equal(*parsed, {});
}

// The format is a promise to files that exist: its text may not drift.
TEST(Schedule, TextIsStable) {
  SavedSchedule s;
  s.program = "bank.hed";
  s.identity = 0x1f;
  s.defines = {{"n", 2}};
  s.input_seed = 7;
  s.expect = "deadlock";
  s.steps = {step(0), step(0), step(0), step(1), step(2, 1)};
  EXPECT_EQ(to_text(s),
            "heddle-schedule 1\nprogram bank.hed\nidentity 1f\ndefine n=2\ninput-seed 7\n"
            "expect deadlock\nsteps 0*3 1 2>1\nend\n");
}

TEST(Schedule, LongSchedulesAreWrapped) {
  const std::string text = to_text(example());
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at);
    EXPECT_LE(end - at, 100u);
    at = end + 1;
  }
}

TEST(Schedule, AcceptsWindowsLineEnds) {
  auto parsed = parse_schedule("heddle-schedule 1\r\nprogram p\r\nsteps 1*2\r\nend\r\n");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->program, "p");
  EXPECT_EQ(parsed->steps.size(), 2u);
}

TEST(Schedule, ErrorsNameLineAndRemedy) {
  const struct {
    const char* text;
    const char* fact;
  } cases[] = {
      {"", "line 1: the file is empty"},
      {"hello\n", "line 1: expected \"heddle-schedule 1\""},
      {"heddle-schedule 2\nend\n", "line 1: expected \"heddle-schedule 1\""},
      {"heddle-schedule 1\nsteps 0\n", "ends before its \"end\""},
      {"heddle-schedule 1\nfrob 1\nend\n", "line 2: unknown key \"frob\""},
      {"heddle-schedule 1\nidentity xyz\nend\n", "line 2: bad identity"},
      {"heddle-schedule 1\ndefine =3\nend\n", "line 2: bad define"},
      {"heddle-schedule 1\ndefine n=three\nend\n", "line 2: bad define"},
      {"heddle-schedule 1\ninput-seed -1\nend\n", "line 2: bad seed"},
      {"heddle-schedule 1\nprogram p\nsteps 0 128\nend\n", "line 3: bad thread id"},
      {"heddle-schedule 1\nsteps 0*0\nend\n", "line 2: bad repetition count"},
      {"heddle-schedule 1\nsteps 0*99999999999\nend\n", "line 2: too many steps"},
      {"heddle-schedule 1\nsteps 0>999\nend\n", "line 2: bad choice"},
      {"heddle-schedule 1\nexpect rain\nend\n", "line 2: unknown kind of bug \"rain\""},
      {"heddle-schedule 1\nsteps 0\nend\n\nsteps 1\n", "line 5: text after the \"end\" line"},
  };
  for (const auto& c : cases) {
    EXPECT_NE(error_of(c.text).find(c.fact), std::string::npos) << error_of(c.text);
    EXPECT_NE(error_of(c.text).find("save it again"), std::string::npos) << error_of(c.text);
  }
}

}  // namespace
}  // namespace heddle::trace
