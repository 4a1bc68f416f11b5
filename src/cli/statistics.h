// Numbers of an exploration in words: the line of progress and the table of --stats.
#pragma once

#include <string>

#include "explore/explorer.h"
#include "symbolic/query_counts.h"

namespace heddle::cli {

// "1200 executions, 1200 classes, 40000/s, depth 31, about 5000 in all (2000 to 12000), about 0.1 s left"
std::string progress_text(const explore::Progress& progress);

// What became of the questions about inputs.
std::string solver_table(const symbolic::QueryCounts& counts);

std::string statistics_table(const explore::ExploreResult& result);

}  // namespace heddle::cli
