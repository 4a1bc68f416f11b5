// The first seam: a program under test, as the engine sees it. Front ends implement it (model, native), and
// whoever embeds the engine.
#pragma once

#include <string>
#include <vector>

#include "trace/execution.h"
#include "trace/schedule.h"

namespace heddle::trace {

class Program {
 public:
  virtual ~Program() = default;
  // One complete, controlled execution. `execution` is the one of the previous call (its storage is reused).
  virtual void run(const Schedule& schedule, Execution& execution) = 0;
};

// Names for what an execution holds as numbers: the other half of a front end, used only when something is shown.
class Describer {
 public:
  virtual ~Describer() = default;
  virtual std::string thread_name(ThreadId thread) const = 0;
  virtual std::string object_name(ObjectId object) const = 0;
  // A value that an operation found or left in the object.
  virtual std::string value_text(ObjectId, std::uint64_t value) const {
    return std::to_string(static_cast<std::int64_t>(value));
  }
  // "file:line:col", or empty.
  virtual std::string position(std::uint32_t where) const = 0;
  // The source line itself, trimmed, or empty.
  virtual std::string source_line(std::uint32_t where) const = 0;
  // The calls that led there, innermost first, each "function  file:line:col"; none if that is not known.
  virtual std::vector<std::string> stack(std::uint32_t) const { return {}; }
  // input[THREAD,ORDINAL], or what the program calls it.
  virtual std::string input_name(const InputValue& input) const;
};

}  // namespace heddle::trace
