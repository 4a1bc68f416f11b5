// `--corpus=DIR`: schedules worth running again. Each program, with its constants and its test, has a folder of its own in
// DIR; in it are schedule files (docs/formats.md) of what failed, and of the near misses: the runs that
// do not fail with the decisive pair the other way round. Before an exploration they are all run: a bug that comes
// back is found in the first milliseconds.
#pragma once

#include "cli/front_end.h"

namespace heddle::cli {

// Runs what is kept for this program. The result is that of the first schedule that fails, unless --all was asked for, in
// which case the exploration finds it anyway. Schedules that cannot be followed any more are removed.
Result<std::optional<Explored>> run_corpus(const RunRequest& request);

std::optional<Error> keep_in_corpus(const RunRequest& request, const Explored& explored);

}  // namespace heddle::cli
