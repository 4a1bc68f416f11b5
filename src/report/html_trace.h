// An execution as the page reads it: one array per property of a step, all of the same length, because a page
// with 20,000 steps parses columns several times faster than objects.
#pragma once

#include <nlohmann/json.hpp>

#include "report/html_sources.h"
#include "trace/execution.h"

namespace heddle::report {

nlohmann::ordered_json page_trace(const trace::Execution& execution, const trace::Describer& describer,
                                  PageSources& sources);

// Cross-thread edges of happens-before, reduced: (a, b) such that a happens before b, they are of different
// threads, and nothing of another thread or b's own lies between them.
struct OrderEdge {
  EventIndex from = 0;
  EventIndex to = 0;
  bool operator==(const OrderEdge&) const = default;
};
std::vector<OrderEdge> covering_edges(const trace::Execution& execution);

}  // namespace heddle::report
