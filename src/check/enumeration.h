// Every interleaving of a program, by plain backtracking over its decisions: threads, and the alternatives of
// operations that have some. The slow twins look at the executions one by one.
#pragma once

#include <vector>

#include "trace/program.h"

namespace heddle::check {

class Enumeration {
 public:
  explicit Enumeration(trace::Program& program) : program_(program) {}
  // Runs the next interleaving. False: there is none left.
  bool next(trace::Execution& execution);

 private:
  void note_alternatives(const trace::Execution& execution);

  trace::Program& program_;
  trace::Schedule schedule_;
  std::vector<std::vector<trace::Decision>> left_;  // by depth: what is still to be tried there
  bool new_thread_ = true;                          // the last decision named a thread, not an alternative
  bool begun_ = false;
};

}  // namespace heddle::check
