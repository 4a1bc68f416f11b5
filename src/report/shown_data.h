// Which of the data that a finding comes with is shown, and its words.
#pragma once

#include <string>
#include <vector>

#include "explore/explorer.h"

namespace heddle::report {

enum class WhichData : std::uint8_t { kRelevant, kAll };

// In their order. Relevant is what the failure depends on, the nearest first if that is much; where all together is
// little, it is all shown.
std::vector<const explore::DataNote*> shown_data(const explore::Finding& finding, WhichData which);

// "limit = 3", "queue.size(): 0 -> 1"
std::string data_text(const explore::DataNote& note);

}  // namespace heddle::report
