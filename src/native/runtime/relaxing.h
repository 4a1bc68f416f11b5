// Native programs with other memory orders than they have: which would have to be stronger (graph/strengthen.h), and
// which could be weaker (graph/relax.h).
#pragma once

#include <vector>

#include "native/protocol/messages.h"
#include "native/runtime/program.h"

namespace heddle::runtime {

void explain_by_orders(NativeProgram& program, explore::ExploreResult& result);

// The atomic accesses and fences of executions that are stronger than relaxed.
void note_orders(const trace::Execution& execution);
const std::vector<protocol::OrderNote>& noted_orders();

// Tries those that `options.relax` names, as long as there is time.
explore::Relaxation relax_orders(NativeProgram& program, const protocol::WorkerOptions& options);

}  // namespace heddle::runtime
