// A program whose plain accesses are watched: two of different threads to one object, one of them a write and one of
// them plain, that happens-before does not order, are a data race, a failure of the execution. What happens before what
// is a matter of the graph, so one that is stale, or goes on the wrong order, is found whatever the interleaving.
#pragma once

#include <string>

#include "graph/consistency.h"
#include "trace/program.h"

namespace heddle::graph {

class RaceWatch final : public Program {
 public:
  RaceWatch(Program& program, const Describer& describer) : program_(program), describer_(describer) {}
  void run(const Schedule& schedule, Execution& execution) override;

 private:
  void report(Execution& execution, EventIndex earlier, EventIndex later) const;

  Program& program_;
  const Describer& describer_;
  ConsistencyChecker checker_{MemoryModel::kCpp20};
};

}  // namespace heddle::graph
