#include "stateful/erv_order.h"

#include <algorithm>
#include <compare>

namespace heddle::stateful {
namespace {

std::vector<std::uint64_t> parikh(std::span<const OrderedEvent> events) {
  std::vector<std::uint64_t> transitions;
  for (const OrderedEvent& e : events) transitions.push_back(e.transition);
  std::sort(transitions.begin(), transitions.end());
  return transitions;
}

// Level by level: the end of a level that is a beginning of the other's is smaller (Def. 27 i), so of the first two
// events that differ the one on the lower level belongs to the larger form.
std::strong_ordering by_foata(const std::vector<OrderedEvent>& a, const std::vector<OrderedEvent>& b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (a[i].level != b[i].level) return b[i].level <=> a[i].level;
    if (a[i].transition != b[i].transition) return a[i].transition <=> b[i].transition;
  }
  return a.size() <=> b.size();
}

}  // namespace

bool erv_before(std::vector<OrderedEvent>& a, std::vector<OrderedEvent>& b) {
  if (a.size() != b.size()) return a.size() < b.size();
  const auto x = parikh(a), y = parikh(b);
  if (x != y) return x < y;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return by_foata(a, b) < 0;
}

}  // namespace heddle::stateful
