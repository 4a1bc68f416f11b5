// The order in which events join the prefix (Esparza, Römer and Vogler 2002; Kähkönen 2015 Def. 27 to 31). Of two
// events
//
//   the one with the smaller local configuration comes first,
//   else the one whose transitions, in ascending order, are lexicographically smaller (the Parikh vector),
//   else the one whose Foata normal form is: level by level, each level's transitions in ascending order.
//
// It is adequate: what follows from the smaller of two events with one marking follows from the larger one as well, and
// in the same order, so the larger one can be cut off. And it is total among events with one marking.
//
// Events of different size need no comparison here: the prefix grows size by size (stateful_unfolding.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heddle::stateful {

// An event of a configuration: its transition and its level, the length of the longest chain of events that ends in it.
struct OrderedEvent {
  std::uint32_t level = 0;
  std::uint64_t transition = 0;
  auto operator<=>(const OrderedEvent&) const = default;
};

// Is the local configuration `a` before `b`? Both are sorted on the way.
bool erv_before(std::vector<OrderedEvent>& a, std::vector<OrderedEvent>& b);

}  // namespace heddle::stateful
