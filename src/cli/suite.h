// Several tests of one program, each explored on its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/front_end.h"
#include "cli/request.h"

namespace heddle::cli {

using ExploreOne = std::function<Result<ExploredProgram>(const RunRequest&)>;
using ShowOne = std::function<Result<int>(const RunRequest&, const ExploredProgram&)>;

// Each test has files of its own, and all of them one JUnit document. The exit code of the whole.
Result<int> run_suite(const RunRequest& request, const std::vector<std::string>& tests, const ExploreOne& explore,
                      const ShowOne& show);

}  // namespace heddle::cli
