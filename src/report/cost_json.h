// What a schedule costs its reader, as JSON and the page have it.
#pragma once

#include <nlohmann/json.hpp>

#include "explore/explorer.h"

namespace heddle::report {

inline nlohmann::ordered_json cost_json(const explore::ScheduleCost& cost) {
  return {{"preemptions", cost.preemptions}, {"switches", cost.switches}, {"steps", cost.steps}};
}

}  // namespace heddle::report
