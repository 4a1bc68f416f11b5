#include "graph/relax.h"

#include <algorithm>

namespace heddle::graph {
namespace {

using explore::Relaxation;
using explore::RelaxedPlace;

// Weakest first. A fence that is relaxed is none.
constexpr MemoryOrder kWeaker[] = {MemoryOrder::kRelaxed, MemoryOrder::kAcquire, MemoryOrder::kRelease,
                                   MemoryOrder::kAcqRel};

struct Group {
  std::vector<std::uint32_t> places;
  RelaxedPlace row;
};

class Relaxing {
 public:
  Relaxing(Program& program, const RelaxOptions& options) : program_(program), options_(options) {}

  Relaxation find() {
    const bool clean = look_around() == Answer::kNo;
    if (clean) {
      for (Group& group : groups_) find_alone(group);
      find_together();
    }
    for (Group& group : groups_) result_.places.push_back(group.row);
    result_.open = !stopped_.empty() ? stopped_
                   : too_long_       ? "some would have taken more steps than are spent on one"
                   : !clean          ? "the program does not do the same again with the orders that it has"
                                     : "";
    return std::move(result_);
  }

 private:
  // All executions as they are: which places there are. They must not fail.
  Answer look_around() {
    std::vector<OrderPlace> places;
    const Answer answer = search({}, [&](const Execution& execution) {
      note_places(execution, RunWith::kOwnOrders, places);
      return !execution.failures.empty();
    });
    // As they are in the source, or were given: not as they were met, which depends on how the search goes.
    std::sort(places.begin(), places.end(), [&](const OrderPlace& a, const OrderPlace& b) {
      return std::pair(group_of(a.where), a.where) < std::pair(group_of(b.where), b.where);
    });
    for (const OrderPlace& place : places)
      if (place.own != MemoryOrder::kRelaxed) add(place);
    return answer;
  }

  std::size_t group_of(std::uint32_t where) const {
    if (!options_.groups) return 0;
    const PlaceGroups& all = *options_.groups;
    return static_cast<std::size_t>(
        std::find_if(all.begin(), all.end(),
                     [&](const auto& group) { return std::find(group.begin(), group.end(), where) != group.end(); }) -
        all.begin());
  }

  void add(const OrderPlace& place) {
    std::vector<std::uint32_t> members{place.where};
    if (options_.groups) {
      const std::size_t its = group_of(place.where);
      if (its == options_.groups->size()) return;  // not the program's own
      members = (*options_.groups)[its];
    }
    const auto known =
        std::find_if(groups_.begin(), groups_.end(), [&](const Group& group) { return group.places == members; });
    if (known == groups_.end())
      groups_.push_back({std::move(members), {place.where, place.kind, place.own, {}, {}}});
    else
      known->row.own = stronger_of(known->row.own, place.own);
  }

  static std::vector<MemoryOrder> orders_below(const RelaxedPlace& row) {
    std::vector<MemoryOrder> orders;
    for (const MemoryOrder order : kWeaker)
      if (may_have(row.kind, order) && is_stronger(row.own, order)) orders.push_back(order);
    return orders;
  }

  void find_alone(Group& group) {
    for (const MemoryOrder order : orders_below(group.row)) {
      const Answer answer = fails({{&group, order}});
      if (answer == Answer::kUnknown) return;
      if (answer == Answer::kYes) continue;
      group.row.alone = order;
      return;
    }
    group.row.alone = group.row.own;
  }

  void find_together() {
    std::vector<Weakened> all;
    for (Group& group : groups_)
      if (group.row.alone && *group.row.alone != group.row.own) all.push_back({&group, *group.row.alone});
    const bool at_once = all.size() > 1 && fails(all) == Answer::kNo;
    std::vector<Weakened> taken;
    for (Group& group : groups_) {
      if (!group.row.alone) continue;
      group.row.together = at_once || all.size() == 1 ? group.row.alone : weakest_with(taken, group);
      if (group.row.together && *group.row.together != group.row.own) taken.push_back({&group, *group.row.together});
    }
  }

  struct Weakened {
    const Group* group;
    MemoryOrder order;
  };

  std::optional<MemoryOrder> weakest_with(const std::vector<Weakened>& taken, const Group& group) {
    for (const MemoryOrder order : orders_below(group.row)) {
      if (is_stronger(*group.row.alone, order)) continue;  // not even alone
      std::vector<Weakened> tried = taken;
      tried.push_back({&group, order});
      const Answer answer = fails(tried);
      if (answer == Answer::kUnknown) return std::nullopt;
      if (answer == Answer::kNo) return order;
    }
    return group.row.own;
  }

  Answer fails(const std::vector<Weakened>& weakened) {
    std::vector<OrderAt> orders;
    for (const Weakened& w : weakened)
      for (const std::uint32_t where : w.group->places) orders.push_back({where, w.order, true});
    return search(orders, [](const Execution& execution) { return !execution.failures.empty(); });
  }

  // A search during which the program turned out to have more steps is void, unless it has seen a failure.
  Answer search(std::span<const OrderAt> orders, const OrderTrial::Question& is_it) {
    if (!stopped_.empty()) return Answer::kUnknown;
    for (;;) {
      options_.begin();
      bool seen = false, late = false;
      OrderTrials how = options_.trials;
      how.changed = [&] { return false; };
      OrderTrial trial(program_, how, how.max_steps);
      const Answer answer = trial.ask(orders, [&](const Execution& execution) {
        seen = is_it(execution);
        late = !options_.stop().empty();
        return seen || late || options_.trials.changed();
      });
      ++result_.trials;
      result_.executions += trial.runs();
      if (seen) return Answer::kYes;
      if (stopped_ = options_.stop(); !stopped_.empty()) return Answer::kUnknown;
      if (options_.trials.changed()) continue;
      too_long_ = too_long_ || answer == Answer::kUnknown;
      return answer;
    }
  }

  Program& program_;
  const RelaxOptions& options_;
  std::vector<Group> groups_;
  Relaxation result_;
  std::string stopped_;
  bool too_long_ = false;
};

}  // namespace

explore::Relaxation relax(Program& program, const RelaxOptions& options) { return Relaxing(program, options).find(); }

}  // namespace heddle::graph
