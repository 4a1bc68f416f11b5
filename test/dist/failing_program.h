// A script in which something fails in some executions: a matter of what happened in them, so the same for every
// explorer.
#pragma once

#include "check/script_program.h"
#include "trace/fingerprint.h"

namespace heddle::dist {

class FailingProgram : public trace::Program {
 public:
  explicit FailingProgram(const check::Script& script) : program_(script) {}
  void run(const trace::Schedule& schedule, trace::Execution& execution) override {
    program_.run(schedule, execution);
    if (execution.outcome != trace::Outcome::kComplete) return;
    const std::uint64_t name = fingerprint_(execution);
    if (name % 3 != 0) return;
    execution.outcome = trace::Outcome::kFailed;
    trace::Failure failure;
    failure.step = static_cast<EventIndex>(execution.steps.size());
    failure.where = static_cast<std::uint32_t>(name / 3 % 4);
    failure.message = "failure " + std::to_string(failure.where);
    execution.failures.push_back(std::move(failure));
  }

 private:
  check::ScriptProgram program_;
  trace::Fingerprinter fingerprint_;
};

}  // namespace heddle::dist
