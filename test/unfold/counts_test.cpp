// Sizes of complete unfoldings and numbers of executions on the benchmark programs. Event counts were computed by an
// independent brute force; executions must not exceed those of Kähkönen 2015 Table 8.1, nor the number of classes.
#include "unfold_model.h"

namespace heddle::unfold {
namespace {

struct Row {
  const char* program;
  std::map<std::string, std::int64_t> defines;
  std::uint64_t events[2];      // place-replicated, contextual; 0: not stated
  std::uint64_t executions[2];  // at most, to cover the unfolding
  std::uint64_t classes;
  std::uint64_t deadlocks = 0;
};

const Row kRows[] = {
    {"bench/programs/readers.hed", {{"n", 3}}, {23, 7}, {8, 8}, 8},
    {"bench/programs/readers.hed", {{"n", 8}}, {1288, 17}, {256, 2}, 256},
    {"bench/programs/lost_update.hed", {{"n", 2}}, {12, 10}, {4, 4}, 4},
    {"bench/programs/lost_update.hed", {{"n", 3}}, {111, 72}, {36, 36}, 36},
    {"bench/programs/lastzero.hed", {{"n", 5}}, {160, 119}, {64, 64}, 64},
    {"bench/programs/dining.hed", {{"n", 4}}, {8044, 8044}, {798, 798}, 831, 45},
    {"bench/programs/dining.hed", {{"n", 5}}, {0, 0}, {5746, 5749}, 5851, 121},
    {"bench/programs/dining.hed", {{"n", 6}}, {306150, 306150}, {36075, 36058}, 38786, 320},
    {"bench/programs/fib.hed", {{"observe", 0}}, {6096, 3424}, {1107, 1107}, 1107},
    {"bench/programs/fib.hed", {}, {87454, 9110}, {19605, 4950}, 19605},
    {"test/unfold/programs/locking_three.hed", {}, {36820, 36820}, {2520, 2520}, 2520},
    {"bench/programs/locking.hed", {}, {58912, 58912}, {2520, 2520}, 2520},
    {"bench/programs/filesystem.hed", {{"n", 16}}, {0, 0}, {3, 3}, 8},
    {"bench/programs/filesystem.hed", {{"n", 18}}, {0, 0}, {3, 3}, 32},
    {"bench/programs/parallel_pi.hed", {{"n", 6}}, {0, 0}, {720, 720}, 720},
    {"bench/programs/parallel_pi.hed", {{"n", 7}}, {0, 0}, {5040, 5040}, 5040},
    {"bench/programs/pairs.hed", {}, {0, 0}, {8, 8}, 4096},
    {"bench/programs/synthetic1.hed", {}, {0, 0}, {915, 762}, 1316, 254},
    {"bench/programs/synthetic2.hed", {}, {0, 0}, {8205, 3218}, 14968},
};

class Counts : public testing::TestWithParam<Variant> {};

TEST_P(Counts, AreThoseOfTheDesign) {
  const std::size_t v = GetParam() == Variant::kPlaceReplicated ? 0 : 1;
  for (const Row& row : kRows) {
    UnfoldingOptions options;
    options.variant = GetParam();
    const Unfolded u = unfold_model(row.program, row.defines, options);
    EXPECT_TRUE(row.events[v] == 0 || u.statistics.events == row.events[v])
        << row.program << ": " << u.statistics.events;
    EXPECT_LE(u.statistics.executions, row.executions[v]) << row.program;
    EXPECT_LE(u.executions, row.classes) << row.program;
    // In the place-replicated unfolding a deadlocked marking without ended threads is a class.
    EXPECT_TRUE(row.deadlocks == 0 || v != 0 || u.deadlocked == row.deadlocks) << row.program << ": " << u.deadlocked;
    EXPECT_TRUE(u.statistics.events < 100 || bytes_each(u.statistics) < 200) << row.program;
  }
}

// Whole executions without a failed assumption are looked for after the unfolding: quickly where one thread alone rules
// them out; a search that is given up leaves the question open.
TEST(WholeExecutions, AreLookedForWhileTheSearchGoesOn) {
  UnfoldingOptions options;
  options.variant = Variant::kContextual;
  const Unfolded all = unfold_model("test/unfold/programs/assuming_readers.hed", {}, options);
  EXPECT_FALSE(all.statistics.undecided);
  EXPECT_LE(all.executions, 8u);
  options.global.goes_on = [] { return false; };
  EXPECT_TRUE(unfold_model("test/unfold/programs/assuming_readers.hed", {}, options).statistics.undecided);
}

TEST_P(Counts, SeveralTargetsPerExecutionFindTheSameEvents) {
  for (const char* program :
       {"bench/programs/filesystem.hed", "bench/programs/dining.hed", "bench/programs/lastzero.hed"}) {
    UnfoldingOptions one, several;
    one.variant = several.variant = GetParam();
    one.several_targets = false;
    const Unfolded a = unfold_model(program, {}, one), b = unfold_model(program, {}, several);
    EXPECT_EQ(a.statistics.events, b.statistics.events) << program;
    EXPECT_LE(b.statistics.executions, a.statistics.executions) << program;
  }
}

INSTANTIATE_TEST_SUITE_P(Both, Counts, testing::Values(Variant::kPlaceReplicated, Variant::kContextual),
                         [](const auto& variant) {
                           return variant.param == Variant::kPlaceReplicated ? "PlaceReplicated" : "Contextual";
                         });

}  // namespace
}  // namespace heddle::unfold
