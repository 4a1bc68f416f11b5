#include "explore/reads_from_sampling.h"

#include <algorithm>

#include "base/random.h"
#include "explore/sampling.h"
#include "trace/dependence.h"

namespace heddle::explore {
namespace {

template <class T>
void add_once(std::vector<T>& to, const T& value) {
  if (std::ranges::find(to, value) == to.end()) to.push_back(value);
}

}  // namespace

bool ReadsFromSampling::next(Schedule& schedule) {
  draw_anew(schedule, TailKind::kReadsFrom, combine(seed_, drawn_++));
  Random random(mix(schedule.tail.seed));
  wish_.clear();
  if (!kept_.empty() && random.below(8) != 0) {
    Kept& best = *std::ranges::min_element(kept_, {}, &Kept::chosen);
    ++best.chosen;
    wish_ = best.wish;
    mutate(wish_, random);
  }
  schedule.tail.wanted = wish_;
  return true;
}

void ReadsFromSampling::mutate(Wish& wish, Random& random) const {
  if (shared_.empty()) return;
  const auto any = [&](const auto& of) -> const auto& { return of[random.below(of.size())]; };
  if (wish.size() > 1 && random.below(4) == 0)
    wish.erase(wish.begin() + static_cast<std::ptrdiff_t>(random.below(wish.size())));
  const ObjectId object = any(shared_);
  const Accesses& accesses = objects_[object.index()];
  const ReadsFrom pair{object, any(accesses.writes), any(accesses.reads)};
  const auto same_read =
      std::ranges::find_if(wish, [&](const ReadsFrom& p) { return p.object == pair.object && p.read == pair.read; });
  if (same_read != wish.end())
    *same_read = pair;
  else
    wish.push_back(pair);
}

void ReadsFromSampling::learn(const Execution& execution) {
  note_accesses(execution);
  bool news = false;
  std::uint64_t set = 0;  // does not depend on the order
  for (const Step& step : execution.steps) {
    if (step.op.object == kNoObject) continue;
    std::uint32_t& last = objects_[step.op.object.index()].last;
    if (trace::finds_out(step.op.kind)) {
      const ReadsFrom pair{step.op.object, last, step.where};
      news = pairs_.insert(pair).second || news;
      set += combine(combine(pair.object.index(), pair.write), pair.read);
    }
    if (trace::access_of(step.op.kind) == trace::Access::kWrites) last = step.where;
  }
  news = sets_.insert(set).second || news;
  if (news) kept_.push_back({wish_, 0});
}

void ReadsFromSampling::note_accesses(const Execution& execution) {
  for (Accesses& accesses : objects_) accesses.last = ReadsFrom::kNowhere;
  for (const Step& step : execution.steps) {
    if (step.op.object == kNoObject) continue;
    const std::size_t i = step.op.object.index();
    if (i >= objects_.size()) objects_.resize(i + 1);
    Accesses& accesses = objects_[i];
    if (trace::finds_out(step.op.kind)) add_once(accesses.reads, step.where);
    if (trace::access_of(step.op.kind) == trace::Access::kWrites) add_once(accesses.writes, step.where);
    if (accesses.writes.size() > 1 && !accesses.reads.empty()) add_once(shared_, step.op.object);
  }
}

}  // namespace heddle::explore
