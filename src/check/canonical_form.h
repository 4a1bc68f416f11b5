// Classes by their least member: worked out in quadratic time from the dependence relation alone.
#pragma once

#include <string>
#include <vector>

#include "trace/execution.h"

namespace heddle::check {

// The lexicographically least member of the execution's class, as text.
std::string canonical_form(const trace::Execution& execution);

std::string label(const trace::Step& step);

// The least linearisation, by threads. `ordered(k, i)`: does k, which comes first, have to?
template <class Event, class Ordered>
std::string least_form(const std::vector<Event>& events, Ordered&& ordered) {
  const std::size_t n = events.size();
  std::vector<bool> done(n, false);
  std::string text;
  for (std::size_t placed = 0; placed < n; ++placed) {
    std::size_t best = n;
    for (std::size_t i = 0; i < n; ++i) {
      if (done[i] || (best < n && events[best].thread <= events[i].thread)) continue;
      bool minimal = true;
      for (std::size_t k = 0; k < i && minimal; ++k) minimal = done[k] || !ordered(events[k], events[i]);
      if (minimal) best = i;
    }
    done[best] = true;
    text += label(events[best]) + ' ';
  }
  return text;
}

}  // namespace heddle::check
