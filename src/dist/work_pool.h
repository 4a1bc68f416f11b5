// The seam between a search and those who explore it, wherever they are: threads of this process (local_pool.h), or
// whatever can carry bytes. Items go out, answers come back, in any order; some never do.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "dist/work_item.h"

namespace heddle::dist {

struct Answer {
  std::uint64_t segment = 0;
  std::uint32_t attempt = 0;
  std::optional<WorkResult> result;  // nothing: the item is lost
  std::string error;                 // ... and would be again
};

class WorkPool {
 public:
  virtual ~WorkPool() = default;
  // How many items it would take now.
  virtual std::size_t room() const = 0;
  virtual void give(WorkItem item) = 0;
  // Answers, waiting for one if there is none for so long at most.
  virtual std::vector<Answer> wait(std::chrono::milliseconds time) = 0;
  // Should those at work come to an end soon, budget or not?
  virtual void hurry(bool hurry) = 0;
};

}  // namespace heddle::dist
