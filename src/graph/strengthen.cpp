#include "graph/strengthen.h"

#include <algorithm>

namespace heddle::graph {
namespace {

using explore::Finding;

// What is changed at places: the orders of accesses, or a fence is put before them.
enum class Change : std::uint8_t { kOrders, kFences };

constexpr MemoryOrder kStronger[] = {MemoryOrder::kAcquire, MemoryOrder::kRelease, MemoryOrder::kAcqRel,
                                     MemoryOrder::kSeqCst};

class Search {
 public:
  Search(Program& program, const OrderTrials& how, Finding& finding, std::uint64_t max_steps)
      : finding_(finding), trial_(program, how, max_steps) {}

  // How many steps it took.
  std::uint64_t explain() {
    find_orders();
    finding_.explanation.runs += trial_.runs();
    return trial_.steps();
  }

 private:
  void find_orders() {
    note_weak_places(finding_.execution, RunWith::kOwnOrders);
    for (;;) {
      const Answer answer = occurs(places_, Change::kOrders);
      if (answer == Answer::kNo) break;
      if (answer == Answer::kUnknown) return;
      if (note_weak_places(trial_.execution(), RunWith::kGivenOrders)) continue;
      finding_.explanation.orders = explore::Orders::kDoNotHelp;
      return;
    }
    const std::vector<OrderPlace> best = fewest(places_, Change::kOrders);
    if (best.empty()) return;
    finding_.explanation.orders = explore::Orders::kHelp;
    tell(best, finding_.explanation.stronger);
    find_fences(best.size());
  }

  // The same by fences alone, if fewer will do.
  void find_fences(std::size_t orders) {
    std::vector<OrderPlace> places = noted_;
    std::erase_if(places, [](const OrderPlace& p) { return p.kind == OpKind::kFence; });
    for (OrderPlace& place : places) place.own = MemoryOrder::kRelaxed, place.now = MemoryOrder::kSeqCst;
    if (occurs(places, Change::kFences) != Answer::kNo) return;
    const std::vector<OrderPlace> best = fewest(places, Change::kFences);
    if (best.size() < orders) tell(best, finding_.explanation.fences);
  }

  // Of what is enough, what cannot be spared; none: it is not known.
  std::vector<OrderPlace> fewest(const std::vector<OrderPlace>& enough, Change change) {
    std::vector<OrderPlace> best;
    for (const bool backwards : {true, false}) {
      std::vector<OrderPlace> tried = enough;
      if (backwards) std::reverse(tried.begin(), tried.end());
      weaken(tried, change);
      if (!tried.empty() && (best.empty() || tried.size() < best.size())) best = std::move(tried);
    }
    std::sort(best.begin(), best.end(), [](const OrderPlace& a, const OrderPlace& b) { return a.step < b.step; });
    return best;
  }

  static void tell(const std::vector<OrderPlace>& places, std::vector<explore::StrongerOrder>& out) {
    for (const OrderPlace& place : places) out.push_back({place.step, place.where, place.kind, place.own, place.now});
  }

  // Those that could be stronger. Whether there were new ones.
  bool note_weak_places(const Execution& execution, RunWith orders) {
    const std::size_t before = places_.size();
    note_places(execution, orders, noted_);
    places_ = noted_;
    std::erase_if(places_, [](const OrderPlace& p) { return p.own == MemoryOrder::kSeqCst; });
    for (OrderPlace& place : places_) place.now = MemoryOrder::kSeqCst;
    return places_.size() > before;
  }

  // Does the failure occur with these orders, or fences?
  Answer occurs(const std::vector<OrderPlace>& places, Change change) {
    std::vector<OrderAt> orders;
    std::vector<FenceAt> fences;
    for (const OrderPlace& place : places) {
      if (place.now == place.own) continue;
      if (change == Change::kOrders)
        orders.push_back({place.where, place.now});
      else
        fences.push_back({place.where, place.now});
    }
    return trial_.ask(orders, fences, [&](const Execution& execution) {
      const std::vector<Failure>& failures = execution.failures;
      return std::any_of(failures.begin(), failures.end(), [&](const Failure& f) {
        return f.kind == finding_.failure.kind && f.where == finding_.failure.where;
      });
    });
  }

  // Each place gets the weakest order with which the failure stays gone; those that have their own again are no longer
  // there. None are left: it is not known.
  void weaken(std::vector<OrderPlace>& places, Change change) {
    for (OrderPlace& place : places) {
      const OpKind kind = change == Change::kFences ? OpKind::kFence : place.kind;
      std::vector<MemoryOrder> weaker{place.own};
      for (const MemoryOrder order : kStronger)
        if (may_have(kind, order) && is_stronger(order, place.own)) weaker.push_back(order);
      for (const MemoryOrder order : weaker) {
        place.now = order;
        if (order == MemoryOrder::kSeqCst) break;  // as it was
        const Answer answer = occurs(places, change);
        if (answer == Answer::kNo) break;
        if (answer == Answer::kUnknown) {
          places.clear();
          return;
        }
      }
    }
    std::erase_if(places, [](const OrderPlace& place) { return place.now == place.own; });
  }

  Finding& finding_;
  OrderTrial trial_;
  std::vector<OrderPlace> noted_, places_;
};

}  // namespace

void explain_by_orders(Program& program, const OrderTrials& how, explore::ExploreResult& result) {
  std::uint64_t steps_left = 10 * how.max_steps;
  for (Finding& finding : result.findings)
    if (!how.changed()) steps_left -= Search(program, how, finding, std::min(how.max_steps, steps_left)).explain();
}

}  // namespace heddle::graph
