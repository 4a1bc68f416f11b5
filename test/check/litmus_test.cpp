// The axioms of memory models against the numbers of the literature, and the notation of litmus tests.
#include <gtest/gtest.h>

#include "check/graph_enumeration.h"
#include "check/litmus_table.h"

namespace heddle::check {
namespace {

using trace::MemoryModel;

Litmus litmus(std::string_view text) {
  auto parsed = parse_litmus(text);
  EXPECT_TRUE(parsed) << text << ": " << parsed.error().message;
  return *parsed;
}

TEST(Litmus, TheAxiomsGiveTheNumbersOfTheTable) {
  for (const LitmusRow& row : kLitmusTable) {
    const Litmus program = litmus(row.program);
    for (const MemoryModel model : trace::kMemoryModels) {
      const GraphEnumeration graphs = enumerate_graphs(program, model);
      ASSERT_FALSE(graphs.too_many);
      EXPECT_EQ(graphs.count(GraphEnd::kComplete), row.graphs[static_cast<std::size_t>(model)])
          << row.name << " under " << name_of(model);
      EXPECT_EQ(graphs.count(GraphEnd::kVoid), row.blocked) << row.name << " under " << name_of(model);
      if (model != MemoryModel::kCpp20) continue;
      EXPECT_EQ(!graphs.racy.empty(), row.race) << row.name;
    }
  }
}

// Additions of N threads to one variable are ordered in N! ways; to two variables in N! times N!.
TEST(Litmus, AdditionsAreOrderedInEveryWay) {
  for (const MemoryModel model : trace::kMemoryModels) {
    const Litmus four = litmus("a = add([x], 1) || a = add([x], 1) || a = add([x], 1) || a = add([x], 1)");
    EXPECT_EQ(enumerate_graphs(four, model).count(GraphEnd::kComplete), 24u);
    EXPECT_EQ(enumerate_graphs(litmus("a = add([x], 1); b = add([y], 1) || a = add([x], 1); b = add([y], 1)"),
                               MemoryModel::kCpp20)
                  .count(GraphEnd::kComplete),
              4u);
  }
}

// Thread i makes i + 1 of i: the published 2, 5, 14.
TEST(Litmus, ChainsOfCompareAndSwap) {
  EXPECT_EQ(enumerate_graphs(litmus("a = cas([x], 0, 1) || a = cas([x], 1, 2)"), MemoryModel::kCpp20)
                .count(GraphEnd::kComplete),
            2u);
  const Litmus three = litmus("a = cas([x], 0, 1) || a = cas([x], 1, 2) || a = cas([x], 2, 3)");
  EXPECT_EQ(enumerate_graphs(three, MemoryModel::kCpp20).count(GraphEnd::kComplete), 5u);
  EXPECT_EQ(enumerate_graphs(litmus("a = cas([x], 0, 1) || a = cas([x], 1, 2) || a = cas([x], 2, 3) || "
                                    "a = cas([x], 3, 4)"),
                             MemoryModel::kCpp20)
                .count(GraphEnd::kComplete),
            14u);
}

TEST(Litmus, LocksOrderWhatTheyGuard) {
  const Litmus program = litmus(
      "lock [m]; a =_na [x]; [x] =_na a + 1; unlock [m] || "
      "lock [m]; a =_na [x]; [x] =_na a + 1; unlock [m]");
  for (const MemoryModel model : trace::kMemoryModels) {
    const GraphEnumeration graphs = enumerate_graphs(program, model);
    EXPECT_EQ(graphs.count(GraphEnd::kComplete), 2u);
    EXPECT_TRUE(graphs.racy.empty());
  }
  const Litmus philosophers = litmus(
      "lock [m]; lock [n]; unlock [n]; unlock [m] || "
      "lock [n]; lock [m]; unlock [m]; unlock [n]");
  const GraphEnumeration graphs = enumerate_graphs(philosophers, MemoryModel::kCpp20);
  EXPECT_EQ(graphs.count(GraphEnd::kComplete), 2u);
  EXPECT_EQ(graphs.count(GraphEnd::kDeadlock), 1u);
}

TEST(Litmus, AJoinedThreadHappensBefore) {
  const GraphEnumeration graphs = enumerate_graphs(litmus("[x] = 1 || join 0; a = [x]"), MemoryModel::kCpp20);
  EXPECT_EQ(graphs.count(GraphEnd::kComplete), 1u);
}

TEST(Litmus, IsWrittenAsItIsRead) {
  for (const LitmusRow& row : kLitmusTable) EXPECT_EQ(to_text(litmus(row.program)), row.program);
  const char* const others = "lock [m]; unlock [m]; a = try [m]; join 1; b = choose 3 || fence_ar";
  EXPECT_EQ(to_text(litmus(others)), others);
}

TEST(Litmus, WhatIsWrongIsSaid) {
  EXPECT_EQ(parse_litmus("[x] =_weak 1").error().message,
            "unknown memory order \"weak\"; there are na, rlx, acq, rel, ar and sc");
  EXPECT_EQ(parse_litmus("[x] 1").error().message, "expected = before \"1\"");
  EXPECT_EQ(parse_litmus("a = mul([x], 1)").error().message, "unknown operation \"mul\"");
  EXPECT_EQ(parse_litmus("join 3").error().message, "join 3: there is no such thread");
}

}  // namespace
}  // namespace heddle::check
