#include "net/occurrence_net.h"

#include <algorithm>
#include <set>

#include "base/assert.h"

namespace heddle::net {
namespace {
constexpr std::uint32_t kNobody = 0xffffffffu;
}  // namespace

PlaceId OccurrenceNet::add_initial(NetCondition condition) {
  condition.initial = true;
  condition.producer = kNobody;
  conditions_.push_back(std::move(condition));
  return PlaceId(static_cast<std::uint32_t>(conditions_.size() - 1));
}

TransitionId OccurrenceNet::add_event(NetEvent event, std::vector<NetCondition> left) {
  const TransitionId e(static_cast<std::uint32_t>(events_.size()));
  std::uint32_t depth = 0;
  for (const auto* used : {&event.preset, &event.context})
    for (const PlaceId c : *used) {
      REQUIRE(c.index() < conditions_.size());
      if (const std::uint32_t p = conditions_[c.index()].producer; p != kNobody)
        depth = std::max(depth, depths_[p] + 1);
    }
  for (NetCondition& condition : left) {
    condition.producer = e.value;
    condition.initial = false;
    event.postset.push_back(PlaceId(static_cast<std::uint32_t>(conditions_.size())));
    conditions_.push_back(std::move(condition));
  }
  events_.push_back(std::move(event));
  depths_.push_back(depth);
  return e;
}

std::vector<TransitionId> OccurrenceNet::causes(TransitionId e) const {
  std::set<TransitionId> found{e};
  std::vector<TransitionId> open{e};
  while (!open.empty()) {
    const NetEvent& event = events_[open.back().index()];
    open.pop_back();
    for (const auto* used : {&event.preset, &event.context})
      for (const PlaceId c : *used)
        if (const std::uint32_t p = conditions_[c.index()].producer; p != kNobody)
          if (found.insert(TransitionId(p)).second) open.push_back(TransitionId(p));
  }
  return {found.begin(), found.end()};
}

bool OccurrenceNet::is_configuration(const std::vector<TransitionId>& events) const {
  // Fire whatever can fire and disables no read that is still to come, until nothing is left or nothing can.
  std::set<PlaceId> marked;
  for (std::uint32_t c = 0; c < conditions_.size(); ++c)
    if (conditions_[c].initial) marked.insert(PlaceId(c));
  std::vector<TransitionId> left = events;
  const auto awaited = [&](TransitionId e) {
    for (const TransitionId other : left)
      for (const PlaceId c : events_[other.index()].context)
        for (const PlaceId taken : events_[e.index()].preset)
          if (other != e && c == taken) return true;
    return false;
  };
  const auto enabled = [&](TransitionId e) {
    const NetEvent& event = events_[e.index()];
    const auto has = [&](PlaceId c) { return marked.contains(c); };
    return std::all_of(event.preset.begin(), event.preset.end(), has) &&
           std::all_of(event.context.begin(), event.context.end(), has);
  };
  while (!left.empty()) {
    const auto next = std::find_if(left.begin(), left.end(), [&](TransitionId e) { return enabled(e) && !awaited(e); });
    if (next == left.end()) return false;
    for (const PlaceId c : events_[next->index()].preset) marked.erase(c);
    for (const PlaceId c : events_[next->index()].postset) marked.insert(c);
    left.erase(next);
  }
  return true;
}

bool OccurrenceNet::compatible(TransitionId a, TransitionId b) const {
  std::vector<TransitionId> both = causes(a);
  for (const TransitionId e : causes(b))
    if (std::find(both.begin(), both.end(), e) == both.end()) both.push_back(e);
  return is_configuration(both);
}

}  // namespace heddle::net
