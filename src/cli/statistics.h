// Numbers of an exploration in words: the line of progress and the table of --stats.
#pragma once

#include <string>

#include "explore/explorer.h"

namespace heddle::cli {

// "1200 executions, 1200 classes, 40000/s, depth 31, about 5000 in all (2000 to 12000), about 0.1 s left"
std::string progress_text(const explore::Progress& progress);

// What became of the questions about inputs.
struct SolverCounts {
  std::uint64_t asked = 0, by_hint = 0, by_contradiction = 0, by_cache = 0, by_reuse = 0, by_inversion = 0, by_cadical = 0,
                by_z3 = 0, unknown = 0, wrong_models = 0, restarts = 0;
  double median_solver_microseconds = 0;
};
std::string solver_table(const SolverCounts& counts);

std::string statistics_table(const explore::ExploreResult& result);

}  // namespace heddle::cli
