// Which memory orders could be weaker, as a table for the terminal.
#pragma once

#include <string>

#include "explore/explorer.h"
#include "report/terminal.h"
#include "trace/program.h"

namespace heddle::report {

// "load", "store", "fence", ... as C++ has it.
const char* access_name(trace::OpKind kind);
// The order of an access; a relaxed fence is none.
std::string order_name(trace::OpKind kind, trace::MemoryOrder order);

std::string relaxation_table(const explore::Relaxation& relaxation, const trace::Describer& describer);

}  // namespace heddle::report
