// The execution that an explorer is at, for the message of a failed invariant (base/assert.h): its schedule is printed,
// so that our own bugs replay, too.
#pragma once

#include "trace/execution.h"

namespace heddle::explore {

class Suspect {
 public:
  // The execution may still be under way.
  explicit Suspect(const trace::Execution& execution);
  ~Suspect();
  Suspect(const Suspect&) = delete;
  Suspect& operator=(const Suspect&) = delete;

 private:
  std::size_t slot_;
};

}  // namespace heddle::explore
