#include "explore/sample_curve.h"

#include <bit>

#include "base/random.h"
#include "trace/dependence.h"
#include "trace/schedule.h"

namespace heddle::explore {

Sample SampleCurve::add(const trace::Execution& execution, std::uint64_t fingerprint) {
  Sample sample{fingerprint, new_pairs(execution)};
  add(sample);
  return sample;
}

void SampleCurve::add(const Sample& sample) {
  ++samples_;
  const std::uint64_t times = ++met_[sample.fingerprint];
  if (times == 1) ++met_once_;
  if (times == 2) --met_once_;
  pairs_.insert(sample.pairs.begin(), sample.pairs.end());
  if (std::has_single_bit(samples_)) points_.push_back(now());
}

std::vector<std::uint64_t> SampleCurve::new_pairs(const trace::Execution& execution) {
  std::vector<std::uint64_t> fresh;
  last_write_.assign(last_write_.size(), trace::ReadsFrom::kNowhere);
  for (const trace::Step& step : execution.steps) {
    if (step.op.object == kNoObject) continue;
    const std::size_t object = step.op.object.index();
    if (object >= last_write_.size()) last_write_.resize(object + 1, trace::ReadsFrom::kNowhere);
    if (trace::finds_out(step.op.kind)) {
      const std::uint64_t pair = combine(combine(object, last_write_[object]), step.where);
      if (pairs_.insert(pair).second) fresh.push_back(pair);
    }
    if (trace::access_of(step.op.kind) == trace::Access::kWrites) last_write_[object] = step.where;
  }
  return fresh;
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
