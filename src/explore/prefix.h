// A program from the middle on: every schedule is run behind a fixed prefix, and only what follows it is shown. Any
// algorithm can so explore what is still reachable from a state (explain.h, `heddle replay --prefix-only`).
//
// The state after the prefix is as good an initial state as any: threads are alive, locks are held, and what happened
// before is before everything.
#pragma once

#include "trace/program.h"

namespace heddle::explore {

using namespace trace;

class PrefixProgram : public Program {
 public:
  PrefixProgram(Program& whole, std::vector<Decision> prefix) : whole_(whole), prefix_(std::move(prefix)) {}

  void run(const Schedule& schedule, Execution& execution) override;

  // The last execution with its prefix.
  const Execution& last() const { return full_; }

 private:
  Program& whole_;
  std::vector<Decision> prefix_;
  bool started_ = false;
  Schedule behind_;
  Execution full_;
};

}  // namespace heddle::explore
