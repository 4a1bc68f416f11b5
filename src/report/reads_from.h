// Under a memory model a read need not find the newest write, nor a write be the newest: what each step counts from the
// newest (Step::choice) is turned into the steps that are meant.
#pragma once

#include <string>
#include <vector>

#include "trace/execution.h"

namespace heddle::report {

struct Seen {
  bool stale = false;               // a read that there are newer writes for, or a write with newer ones before it
  std::uint32_t newer = 0;          // how many
  EventIndex source = kNoEvent;     // the step whose write is read; kNoEvent: what was there at the start
  EventIndex overtaker = kNoEvent;  // the newest write
};

// For each step. Of those that find the newest only that is said.
std::vector<Seen> reads_from(const trace::Execution& execution);

// " (stale: from step 3, 1 newer)" behind a read, " (1 newer)" behind a write; empty where nothing is newer.
std::string staleness(const trace::Step& step, const Seen& seen);

}  // namespace heddle::report
