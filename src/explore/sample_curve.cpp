#include "explore/sample_curve.h"

#include <bit>

#include "base/random.h"
#include "trace/dependence.h"
#include "trace/schedule.h"

namespace heddle::explore {

void SampleCurve::add(const trace::Execution& execution, std::uint64_t fingerprint) {
  ++samples_;
  const std::uint64_t times = ++met_[fingerprint];
  if (times == 1) ++met_once_;
  if (times == 2) --met_once_;
  note_pairs(execution);
  if (std::has_single_bit(samples_)) points_.push_back(now());
}

void SampleCurve::note_pairs(const trace::Execution& execution) {
  last_write_.assign(last_write_.size(), trace::ReadsFrom::kNowhere);
  for (const trace::Step& step : execution.steps) {
    if (step.op.object == kNoObject) continue;
    const std::size_t object = step.op.object.index();
    if (object >= last_write_.size()) last_write_.resize(object + 1, trace::ReadsFrom::kNowhere);
    if (trace::finds_out(step.op.kind)) pairs_.insert(combine(combine(object, last_write_[object]), step.where));
    if (trace::access_of(step.op.kind) == trace::Access::kWrites) last_write_[object] = step.where;
  }
}

SamplePoint SampleCurve::now() const {
  const double unseen = samples_ == 0 ? 1 : static_cast<double>(met_once_) / static_cast<double>(samples_);
  return {samples_, met_.size(), pairs_.size(), unseen};
}

std::vector<SamplePoint> SampleCurve::points() const {
  std::vector<SamplePoint> all = points_;
  if (samples_ > 0 && (all.empty() || all.back().samples != samples_)) all.push_back(now());
  return all;
}

}  // namespace heddle::explore
