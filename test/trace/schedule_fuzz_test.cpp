// Whatever bytes come in, the parser answers with a schedule or with a message, and a schedule that it accepts
// survives being written and read again. Seeds are fixed and printed on failure.
#include <gtest/gtest.h>

#include "base/random.h"
#include "trace/schedule.h"

namespace heddle::trace {
namespace {

constexpr int kRounds = 20'000;

const char* const kValid =
    "heddle-schedule 1\nprogram dir/file.hed\nidentity 1f2e\ndefine n=16\ndefine k=-1\n"
    "input-seed 42\nexpect assertion\nsteps 0*3 1 2>1*4 127\nsteps 5\nend\n";

// Repetition counts make a few bytes stand for many steps; a mutant may not cost seconds.
bool affordable(std::string_view text) {
  std::size_t digits = 0;
  for (char c : text) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (digits > 5) return false;
  }
  return true;
}

void check(const std::string& text, std::uint64_t seed) {
  if (!affordable(text)) return;
  auto parsed = parse_schedule(text);
  if (!parsed) {
    EXPECT_NE(parsed.error().message.find("line "), std::string::npos) << "seed " << seed;
    EXPECT_EQ(parsed.error().message.find('\n'), std::string::npos) << "seed " << seed;
    return;
  }
  auto again = parse_schedule(to_text(*parsed));
  ASSERT_TRUE(again) << "seed " << seed << ": " << again.error().message;
  EXPECT_EQ(again->steps, parsed->steps) << "seed " << seed;
  EXPECT_EQ(again->defines, parsed->defines) << "seed " << seed;
  EXPECT_EQ(again->identity, parsed->identity) << "seed " << seed;
}

TEST(ScheduleFuzz, RandomBytes) {
  for (std::uint64_t seed = 0; seed < kRounds; ++seed) {
    Random random(seed);
    std::string text = seed % 2 ? "heddle-schedule 1\n" : "";
    for (std::uint64_t n = random.below(60); n-- > 0;) text += static_cast<char>(random.below(256));
    check(text, seed);
  }
}

TEST(ScheduleFuzz, MutationsOfAValidFile) {
  std::size_t accepted = 0;
  for (std::uint64_t seed = 0; seed < kRounds; ++seed) {
    Random random(seed);
    std::string text = kValid;
    for (std::uint64_t n = 1 + random.below(4); n-- > 0;) {
      const std::size_t at = random.below(text.size());
      switch (random.below(5)) {
        case 0:
          text[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          text.erase(at, 1 + random.below(8));
          break;
        case 2:
          text.insert(at, 1, "0123456789>*= \n-"[random.below(16)]);
          break;
        case 3:
          text.insert(at, text.substr(random.below(text.size()), random.below(20)));
          break;
        case 4:
          text.resize(at);
          break;
      }
      if (text.empty()) text = "x";
    }
    accepted += parse_schedule(affordable(text) ? text : "").ok();
    check(text, seed);
  }
  // Mutants that all fail, or all pass, would test little.
  EXPECT_GT(accepted, kRounds / 50u);
  EXPECT_LT(accepted, kRounds - kRounds / 50u);
}

}  // namespace
}  // namespace heddle::trace
