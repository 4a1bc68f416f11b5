// Known data races that are to be left out, in a file as ThreadSanitizer has it: a line is `race:PATTERN`, which fits a
// race if it fits a function, a source file or a library anywhere on the two call stacks, or the name of the object;
// `race_top:PATTERN` looks at the two accesses themselves only. `#` begins a comment. A pattern fits anywhere in a name
// unless tied to its begin by `^` or to its end by `$`; `*` stands for anything. ThreadSanitizer's other types are
// about what Heddle does not report, and are passed over.
//
// Names are only known here, and when a search is over. So a search that has shown races that fit is made again, and
// told to leave out what races at these two places (runtime/suppressed_races.h), until it shows nothing that fits.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "native/supervisor/describer.h"

namespace heddle::supervisor {

struct Suppression {
  bool top = false;
  std::string pattern;
};

Result<std::vector<Suppression>> read_suppressions(const std::string& path);

// Faults of the standard library that no program can mend: std::atomic<std::shared_ptr<T>>::load() of libstdc++ gives
// its lock back with a relaxed store, so that a store() after it races with the load by the letter of the standard.
std::vector<Suppression> faults_of_the_library();

bool fits(std::string_view pattern, std::string_view name);

// The races among the findings that one of them fits.
std::vector<protocol::SuppressedRace> suppressed_races(const std::vector<Suppression>& suppressions,
                                                       const protocol::WorkerResult& worker,
                                                       const NativeDescriber& describer);

}  // namespace heddle::supervisor
