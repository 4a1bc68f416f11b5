// Occurrence nets with read arcs (Kähkönen 2015 Def. 8, 15 and 18), spelled out: every condition and event a row, every
// arc stored. This is the net of the books, for drawing and for checking; the algorithms work on the denser form in
// unfold/, in which most conditions are implied.
//
// The relations are computed from their definitions, by walking: slow, and plainly right.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/strong_id.h"

namespace heddle::net {

using PlaceId = StrongId<struct NetConditionTag, std::uint32_t>;
using TransitionId = StrongId<struct NetEventTag, std::uint32_t>;

enum class ConditionKind : std::uint8_t { kThread, kLock, kVariable };

struct NetCondition {
  std::string label;
  ConditionKind kind = ConditionKind::kThread;
  std::uint32_t column = 0;              // of a drawing: the thread it belongs to
  bool initial = false;                  // in the initial marking
  std::uint32_t producer = 0xffffffffu;  // event, unless initial
};

struct NetEvent {
  std::string label;
  std::uint32_t column = 0;
  std::vector<PlaceId> preset;
  std::vector<PlaceId> context;  // read arcs
  std::vector<PlaceId> postset;
};

class OccurrenceNet {
 public:
  PlaceId add_initial(NetCondition condition);
  // Everything before it must be there already. The conditions it leaves are added along with it.
  TransitionId add_event(NetEvent event, std::vector<NetCondition> left);

  const std::vector<NetCondition>& conditions() const { return conditions_; }
  const std::vector<NetEvent>& events() const { return events_; }

  // The events that must have happened for e, itself included (Def. 16), in order of id.
  std::vector<TransitionId> causes(TransitionId e) const;
  // Can all of them happen in one run? That is: nobody takes a token twice, and the demands of read arcs form no
  // cycle (Def. 17 and 19). The set must contain the causes of its members.
  bool is_configuration(const std::vector<TransitionId>& events) const;
  // Are two events concurrent or causally related, that is, not in conflict?
  bool compatible(TransitionId a, TransitionId b) const;
  // Length of the longest chain of events before it: a row for drawing.
  std::uint32_t depth(TransitionId e) const { return depths_[e.index()]; }

 private:
  std::vector<NetCondition> conditions_;
  std::vector<NetEvent> events_;
  std::vector<std::uint32_t> depths_;
};

}  // namespace heddle::net
