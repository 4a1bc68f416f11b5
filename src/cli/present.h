// Puts a result where the user wants it and turns it into an exit code.
#pragma once

#include "cli/front_end.h"

namespace heddle::cli {

struct Destinations {
  std::optional<std::string> json;
  std::optional<std::string> save;
  ReportRequest reports;
  bool quiet = false;
  bool all_details = false;  // of findings, however many there are
};

Result<int> present(const ExploredProgram& explored, const Destinations& destinations);

}  // namespace heddle::cli
