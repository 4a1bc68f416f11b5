#include "graph/strengthen.h"

#include <algorithm>

#include "graph/trust.h"
#include "trace/attempt.h"

namespace heddle::graph {
namespace {

using explore::Finding;

constexpr MemoryOrder kStronger[] = {MemoryOrder::kAcquire, MemoryOrder::kRelease, MemoryOrder::kAcqRel,
                                     MemoryOrder::kSeqCst};

struct Place {
  EventIndex step = kNoEvent;  // of the finding's execution; kNoEvent: of another one that fails like it
  std::uint32_t where = 0;
  OpKind kind = OpKind::kRead;
  MemoryOrder own = MemoryOrder::kSeqCst;
  MemoryOrder now = MemoryOrder::kSeqCst;
};

bool may_have(OpKind kind, MemoryOrder order) {
  if (order == MemoryOrder::kSeqCst || kind == OpKind::kFence) return true;
  if (acquires(order) && !reads(kind)) return false;
  return !releases(order) || writes(kind);
}

bool is_stronger(MemoryOrder a, MemoryOrder b) {
  if (a == b || b == MemoryOrder::kSeqCst) return false;
  return a == MemoryOrder::kSeqCst || (acquires(a) >= acquires(b) && releases(a) >= releases(b));
}

class Search {
 public:
  Search(Program& program, const Strengthening& how, Finding& finding, std::uint64_t max_steps)
      : program_(program), how_(how), finding_(finding), max_steps_(max_steps), steps_left_(max_steps) {}

  // How many steps it took.
  std::uint64_t explain() {
    find_orders();
    return max_steps_ - steps_left_;
  }

 private:
  enum class Answer { kNo, kYes, kUnknown };

  void find_orders() {
    note_places(finding_.execution, true);
    for (;;) {
      const Answer answer = occurs(places_);
      if (answer == Answer::kNo) break;
      if (answer == Answer::kUnknown) return;
      if (note_places(execution_, false)) continue;
      finding_.explanation.orders = explore::Orders::kDoNotHelp;
      return;
    }
    std::vector<Place> best;
    for (const bool backwards : {true, false}) {
      std::vector<Place> tried = places_;
      if (backwards) std::reverse(tried.begin(), tried.end());
      weaken(tried);
      if (!tried.empty() && (best.empty() || tried.size() < best.size())) best = std::move(tried);
    }
    if (best.empty()) return;
    finding_.explanation.orders = explore::Orders::kHelp;
    std::sort(best.begin(), best.end(), [](const Place& a, const Place& b) { return a.step < b.step; });
    for (const Place& place : best)
      finding_.explanation.stronger.push_back({place.step, place.where, place.kind, place.own, place.now});
  }

  // Whether there were new ones.
  bool note_places(const Execution& execution, bool of_finding) {
    const std::size_t before = places_.size();
    for (EventIndex i = 0; i < execution.steps.size(); ++i) {
      const Step& s = execution.steps[i];
      const bool atomic = s.op.kind <= OpKind::kCasFailed || s.op.kind == OpKind::kFence;
      if (!atomic || s.where == 0 || s.op.order == MemoryOrder::kSeqCst || s.op.order == MemoryOrder::kPlain) continue;
      const auto known =
          std::find_if(places_.begin(), places_.end(), [&](const Place& p) { return p.where == s.where; });
      // One that fails at times is what it is when it does not.
      if (known == places_.end())
        places_.push_back({of_finding ? i : kNoEvent, s.where, undecided(s.op.kind), s.op.order});
      else if (releases(s.op.order) && !releases(known->own))
        known->own = s.op.order;
    }
    return places_.size() > before;
  }

  // Does the failure occur with these orders?
  Answer occurs(const std::vector<Place>& places) {
    std::vector<OrderAt> orders;
    for (const Place& place : places)
      if (place.now != place.own) orders.push_back({place.where, place.now});
    how_.give(orders);
    Trust trust(how_.model);
    Schedule schedule;
    Answer answer = Answer::kNo;
    while (answer == Answer::kNo && trust.next(schedule)) {
      program_.run(schedule, execution_);
      ++finding_.explanation.runs;
      const std::uint64_t steps = execution_.steps.size() + 1;
      const bool followed = execution_.outcome != Outcome::kDiverged && execution_.outcome != Outcome::kCut;
      const std::vector<Failure>& failures = execution_.failures;
      if (steps > steps_left_ || !followed || how_.changed())
        answer = Answer::kUnknown;
      else if (std::any_of(failures.begin(), failures.end(), [&](const Failure& f) { return is_it(f); }))
        answer = Answer::kYes;
      else
        trust.learn(execution_);
      steps_left_ -= std::min(steps, steps_left_);
    }
    how_.give({});
    return answer;
  }

  bool is_it(const Failure& failure) const {
    return failure.kind == finding_.failure.kind && failure.where == finding_.failure.where;
  }

  // Each place gets the weakest order with which the failure stays gone; those that have their own again are no longer
  // there. None are left: it is not known.
  void weaken(std::vector<Place>& places) {
    for (Place& place : places) {
      std::vector<MemoryOrder> weaker{place.own};
      for (const MemoryOrder order : kStronger)
        if (may_have(place.kind, order) && is_stronger(order, place.own)) weaker.push_back(order);
      for (const MemoryOrder order : weaker) {
        place.now = order;
        if (order == MemoryOrder::kSeqCst) break;  // as it was
        const Answer answer = occurs(places);
        if (answer == Answer::kNo) break;
        if (answer == Answer::kUnknown) {
          places.clear();
          return;
        }
      }
    }
    std::erase_if(places, [](const Place& place) { return place.now == place.own; });
  }

  Program& program_;
  const Strengthening& how_;
  Finding& finding_;
  const std::uint64_t max_steps_;
  std::uint64_t steps_left_;
  std::vector<Place> places_;
  Execution execution_;
};

}  // namespace

void explain_by_orders(Program& program, const Strengthening& how, explore::ExploreResult& result) {
  std::uint64_t steps_left = 10 * how.max_steps;
  for (Finding& finding : result.findings)
    if (!how.changed()) steps_left -= Search(program, how, finding, std::min(how.max_steps, steps_left)).explain();
}

}  // namespace heddle::graph
