// The commands. Each returns the exit code, or an error for main to print.
#pragma once

#include "cli/command_line.h"

namespace heddle::cli {

Result<int> run(const RunRequest& request);
Result<int> replay(const ReplayRequest& request);
Result<int> compare(const CompareRequest& request);
Result<int> unfold(const UnfoldRequest& request);
Result<int> status(const StatusRequest& request);
Result<int> work(const WorkRequest& request);
int list_algorithms();

}  // namespace heddle::cli
