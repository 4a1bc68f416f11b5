// `heddle run --watch`: once more whenever the program changes. What is looked at are the program itself, files that
// are named for the compiler, the project's settings, and sources in the program's folder and below: their names, sizes
// and times, a few times a second. That needs no more than a listing, and no kernel queue that may run over.
#pragma once

#include <functional>

#include "base/result.h"
#include "cli/request.h"

namespace heddle::cli {

// Runs until Ctrl-C; the last run's exit code.
Result<int> watch(const RunRequest& request, const std::function<Result<int>()>& run);

}  // namespace heddle::cli
