// What leaves the process comes back as it was, and nothing else is taken for it.
#include <gtest/gtest.h>

#include "base/random.h"
#include "check/random_script.h"
#include "dist/frame.h"
#include "dist/item_explorer.h"
#include "dist/work_item.h"
#include "failing_program.h"

namespace heddle::dist {
namespace {

// A result of some executions of a program with locks, waits and findings.
WorkResult some_result(std::uint64_t seed, explore::Algorithm algorithm) {
  FailingProgram program(check::random_synchronised_script(seed));
  explore::StrategyOptions strategy;
  strategy.algorithm = algorithm;
  WorkItem item;
  item.segment = seed + 1;
  item.attempt = 3;
  item.budget.executions = 5;
  const auto assumed = [] {
    return std::vector<trace::Assumption>{{trace::AssumptionKind::kCountingLoops, "loops", {4, 7}}};
  };
  auto result = explore_item(program, item, {strategy, nullptr, assumed});
  EXPECT_TRUE(result.ok());
  result->tally.gaps.push_back({explore::Cause::kWaitsOpen, "17"});
  result->tally.parted = explore::Parting{3, trace::Step{}, std::nullopt};
  return *result;
}

TEST(WorkCodec, ItemsComeBack) {
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const auto algorithm : {explore::Algorithm::kOptimalDpor, explore::Algorithm::kDporCr}) {
      WorkItem item{seed, 9, true, {100, 250, true}, some_result(seed, algorithm).search};
      EXPECT_EQ(decode_item(encode(item)).value(), item);
    }
}

TEST(WorkCodec, ResultsComeBack) {
  std::size_t findings = 0, seen = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const auto algorithm : {explore::Algorithm::kOptimalDpor, explore::Algorithm::kDporCr}) {
      const WorkResult result = some_result(seed, algorithm);
      const WorkResult back = decode_result(encode(result)).value();
      EXPECT_EQ(encode(back), encode(result));
      EXPECT_EQ(back.search, result.search);
      EXPECT_EQ(back.tally.seen, result.tally.seen);
      EXPECT_EQ(back.tally.gaps, result.tally.gaps);
      EXPECT_EQ(back.tally.algorithm, result.tally.algorithm);
      EXPECT_EQ(back.tally.parted->step, 3u);
      ASSERT_EQ(back.tally.findings.size(), result.tally.findings.size());
      for (std::size_t i = 0; i < back.tally.findings.size(); ++i)
        EXPECT_EQ(back.tally.findings[i].execution, result.tally.findings[i].execution);
      findings += back.tally.findings.size();
      seen += back.tally.seen.size();
    }
  EXPECT_GT(findings, 0u);
  EXPECT_GT(seen, 0u);
}

TEST(WorkCodec, DamageIsNoticed) {
  const Bytes good = encode(some_result(4, explore::Algorithm::kOptimalDpor));
  Random random(1);
  for (int i = 0; i < 3'000; ++i) {
    Bytes bad = good;
    switch (random.next() % 3) {
      case 0:
        bad[random.next() % bad.size()] ^= static_cast<std::uint8_t>(1u << random.next() % 8);
        break;
      case 1:
        bad.resize(random.next() % bad.size());
        break;
      default:
        bad.push_back(static_cast<std::uint8_t>(random.next()));
    }
    EXPECT_FALSE(decode_result(bad).ok());
    EXPECT_FALSE(decode_item(bad).ok());
  }
}

// Even behind a checksum that is right nothing is believed.
TEST(WorkCodec, ContentIsChecked) {
  const Bytes good = encode(some_result(4, explore::Algorithm::kOptimalDpor));
  const auto content = unframed(FrameKind::kResult, good).value();
  Random random(2);
  for (int i = 0; i < 3'000; ++i) {
    Bytes bad(content.begin(), content.end());
    for (int k = 0; k < 3; ++k) bad[random.next() % bad.size()] = static_cast<std::uint8_t>(random.next());
    if (random.next() % 4 == 0) bad.resize(random.next() % bad.size());
    const Bytes frame = framed(FrameKind::kResult, [&](trace::ArchiveWriter& a) {
      for (const std::uint8_t byte : bad) a.number(byte);
    });
    if (const auto result = decode_result(frame); result.ok()) {
      EXPECT_EQ(result.value().search.path.size(), result.value().search.nodes.size());
    }
  }
}

TEST(WorkCodec, OtherVersionsAreRefused) {
  Bytes bytes = encode(WorkItem{});
  bytes[4] = kFormat + 1;
  const auto item = decode_item(bytes);
  ASSERT_FALSE(item.ok());
  EXPECT_NE(item.error().message.find("format " + std::to_string(kFormat + 1)), std::string::npos);
}

}  // namespace
}  // namespace heddle::dist
