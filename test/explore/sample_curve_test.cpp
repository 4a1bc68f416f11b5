// Numbers of the curve of samples.
#include "explore/sample_curve.h"

#include <gtest/gtest.h>

namespace heddle::explore {
namespace {

trace::Step step(trace::OpKind kind, std::uint32_t where) {
  trace::Step s;
  s.thread = ThreadId(0);
  s.op.kind = kind;
  s.op.object = ObjectId(2);
  s.where = where;
  return s;
}

TEST(SampleCurve, CountsClassesPairsAndWhatWasMetOnce) {
  trace::Execution early, late;  // a read of the beginning, and of the write at 7
  early.steps = {step(trace::OpKind::kRead, 5), step(trace::OpKind::kWrite, 7)};
  late.steps = {step(trace::OpKind::kWrite, 7), step(trace::OpKind::kRead, 5)};
  SampleCurve curve;
  EXPECT_TRUE(curve.points().empty());
  curve.add(early, 100);
  curve.add(early, 100);
  curve.add(late, 200);
  curve.add(late, 300);
  curve.add(early, 100);
  const std::vector<SamplePoint> wanted = {{1, 1, 1, 1.0}, {2, 1, 1, 0.0}, {4, 3, 2, 0.5}, {5, 3, 2, 0.4}};
  EXPECT_EQ(curve.points(), wanted);
}

}  // namespace
}  // namespace heddle::explore
