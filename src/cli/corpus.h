// `--corpus=DIR`: schedules worth running again. Each program, with its constants and its test, has a folder of its own
// in DIR; in it are schedule files (docs/formats.md) of what failed, and of the near misses: the runs that do not fail
// with the decisive pair the other way round. Before an exploration they are all run: a bug that comes back is found in
// the first milliseconds.
#pragma once

#include "cli/front_end.h"

namespace heddle::cli {

struct CorpusRun {
  std::optional<ExploredProgram>
      failed;        // the first schedule that fails; none with --all: the exploration finds it anyway
  std::string note;  // how many were run, failed, could not be followed; empty if there are none
};

// Runs all that is kept for this program. Nothing is ever removed: a fix often leads away from the schedule that showed
// the bug, and if it is taken back, the schedule fits again. An error if what is found could not be kept.
Result<CorpusRun> run_corpus(const RunRequest& request);

std::optional<Error> keep_in_corpus(const RunRequest& request, const ExploredProgram& explored);

}  // namespace heddle::cli
