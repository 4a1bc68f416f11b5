// The estimator is unbiased on trees it knows: its mean over many probes is the number of classes.
#include "explore/estimate.h"

#include <gtest/gtest.h>

#include "model/model_program.h"

namespace heddle::explore {
namespace {

double estimate(const std::string& file, const model::Defines& defines, int probes) {
  auto program = model::load_model(std::string(HEDDLE_SOURCE_DIR "/bench/programs/") + file, defines);
  EXPECT_TRUE(program.ok());
  Estimator estimator(1);
  for (int i = 0; i < probes; ++i) estimator.probe(**program);
  const Estimate e = estimator.classes();
  EXPECT_LE(e.low, e.total);
  EXPECT_GE(e.high, e.total);
  return e.total;
}

TEST(Estimate, CloseToTheTruth) {
  EXPECT_NEAR(estimate("locking.hed", {}, 2000), 2520, 2520 * 0.3);
  EXPECT_NEAR(estimate("dining.hed", {{"n", 4}}, 2000), 831, 831 * 0.3);
  EXPECT_NEAR(estimate("lost_update.hed", {{"n", 3}}, 2000), 36, 36 * 0.3);
}

TEST(Estimate, ExactWhereThereIsNoChoice) {
  auto program = model::load_model(HEDDLE_SOURCE_DIR "/test/explore/explained/no_way_out.hed", {});
  ASSERT_TRUE(program.ok());
  Estimator estimator(1);
  for (int i = 0; i < 20; ++i) estimator.probe(**program);
  EXPECT_DOUBLE_EQ(estimator.classes().total, 1);
  EXPECT_DOUBLE_EQ(estimator.classes().low, 1);
}

}  // namespace
}  // namespace heddle::explore
