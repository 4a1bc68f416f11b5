// The solvers in the supervisor's process, as the worker sees them (protocol/solver_messages.h).
#pragma once

#include <memory>

#include "symbolic/queries.h"

namespace heddle::runtime {

// The socket to the supervisor; -1: there is none, and every question that comes this far stays open.
void use_solver_socket(int fd);

std::unique_ptr<symbolic::Solver> make_remote_solver(symbolic::TermStore& store, const symbolic::QueryOptions& options);

}  // namespace heddle::runtime
