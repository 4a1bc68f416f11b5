// The second seam: a way of walking the space of schedules. The explorer alternates
//
//   while (strategy.next(schedule)) { program.run(schedule, execution); strategy.learn(execution); }
//
// Races are looked for when an execution is over, which is what lets every algorithm of the literature fit.
#pragma once

#include <optional>

#include "trace/execution.h"
#include "trace/schedule.h"

namespace heddle::explore {

using namespace trace;

class Strategy {
 public:
  virtual ~Strategy() = default;
  // The next schedule to run, written into `schedule` (its storage is reused). False: the space is exhausted.
  virtual bool next(Schedule& schedule) = 0;
  virtual void learn(const Execution& execution) = 0;
  // States visited, where the algorithm has a notion of its own (002); else every step makes one.
  virtual std::optional<std::uint64_t> states() const { return std::nullopt; }
};

}  // namespace heddle::explore
