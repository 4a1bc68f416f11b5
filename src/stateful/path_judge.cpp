#include "stateful/path_judge.h"

#include "base/random.h"

namespace heddle::stateful {

using net::kNoLocal;
using net::LocalId;
using trace::Step;

bool PathJudge::feasible(std::span<const LocalId> locals) {
  if (feasibility_ == nullptr) return true;
  std::uint64_t key = 0;
  for (const LocalId p : locals)
    if (net_[p].branch != kNoLocal) key += mix(net_[p].branch.value);  // it stands for those before it
  if (key == 0) return true;
  const auto [place, added] = known_.try_emplace(key, true);
  if (!added) return place->second;
  branches_.clear();
  for (const LocalId p : locals) {
    for (LocalId b = net_[p].branch; b != kNoLocal; b = net_[net_[b].parent].branch) {
      const net::LocalState& before = net_[net_[b].parent];
      Step& step = branches_.emplace_back();
      step.thread = before.thread;
      step.op.kind = before.kind;
      step.op.before = before.expected;
      step.choice = net_[net_[b].by].choice;
    }
  }
  std::vector<const Step*> steps;
  for (const Step& step : branches_) steps.push_back(&step);
  place->second = feasibility_->feasible(steps);
  return place->second;
}

bool PathJudge::feasible(const net::Marking& marking) {
  if (feasibility_ == nullptr) return true;
  locals_.clear();
  for (std::size_t t = 0; t < marking.threads(); ++t)
    if (const LocalId p = marking.local(ThreadId(static_cast<std::uint16_t>(t))); p != kNoLocal) locals_.push_back(p);
  return feasible(locals_);
}

}  // namespace heddle::stateful
