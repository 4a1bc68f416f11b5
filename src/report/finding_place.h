// Where a finding belongs and what to say of it in one message, for formats that have one line to mark.
#pragma once

#include <string>

#include "explore/explorer.h"
#include "trace/program.h"

namespace heddle::report {

// The failure's place. Of a deadlock that of a thread which waits for what another one holds, if there is one: a line
// of the circle rather than of a join.
std::string finding_position(const explore::Finding& finding, const trace::Describer& describer);

// What is wrong, and of a deadlock who waits for what, one line each.
std::string finding_message(const explore::Finding& finding, const trace::Describer& describer);

}  // namespace heddle::report
