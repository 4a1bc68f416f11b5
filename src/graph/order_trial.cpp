#include "graph/order_trial.h"

#include <algorithm>

#include "graph/trust.h"
#include "trace/object.h"

namespace heddle::graph {

bool may_have(OpKind kind, MemoryOrder order) {
  if (order == MemoryOrder::kSeqCst || kind == OpKind::kFence) return true;
  if (acquires(order) && !reads(kind)) return false;
  return !releases(order) || writes(kind);
}

bool is_stronger(MemoryOrder a, MemoryOrder b) {
  if (a == b || b == MemoryOrder::kSeqCst) return false;
  return a == MemoryOrder::kSeqCst || (acquires(a) >= acquires(b) && releases(a) >= releases(b));
}

bool note_places(const Execution& execution, RunWith orders, std::vector<OrderPlace>& places) {
  const std::size_t before = places.size();
  for (EventIndex i = 0; i < execution.steps.size(); ++i) {
    const Step& s = execution.steps[i];
    const bool atomic = on_memory(s.op.kind) || s.op.kind == OpKind::kFence;
    if (!atomic || s.where == 0 || s.op.order == MemoryOrder::kPlain) continue;
    const OpKind kind = undecided(s.op.kind);  // one that fails at times is what it is when it does not
    const auto known =
        std::find_if(places.begin(), places.end(), [&](const OrderPlace& p) { return p.where == s.where; });
    if (known == places.end()) {
      const EventIndex step = orders == RunWith::kOwnOrders ? i : kNoEvent;
      places.push_back({step, s.where, kind, s.op.order, s.op.order});
      continue;
    }
    if (orders == RunWith::kGivenOrders) continue;
    if (known->kind != kind) known->kind = OpKind::kUpdate;  // `x += 1` of a model is a load and a store in one place
    known->own = known->now = stronger_of(known->own, s.op.order);
  }
  return places.size() > before;
}

Answer OrderTrial::ask(std::span<const OrderAt> orders, std::span<const FenceAt> fences, const Question& is_it) {
  how_.give(orders, fences);
  Trust trust(how_.model);
  Schedule schedule;
  Answer answer = Answer::kNo;
  while (answer == Answer::kNo && trust.next(schedule)) {
    program_.run(schedule, execution_);
    ++runs_;
    const std::uint64_t steps = execution_.steps.size() + 1;
    const bool followed = execution_.outcome != Outcome::kDiverged && execution_.outcome != Outcome::kCut;
    if (steps > steps_left_ || !followed || how_.changed())
      answer = Answer::kUnknown;
    else if (is_it(execution_))
      answer = Answer::kYes;
    else
      trust.learn(execution_);
    steps_left_ -= std::min(steps, steps_left_);
  }
  how_.give({}, {});
  return answer;
}

}  // namespace heddle::graph
