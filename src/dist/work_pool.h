// The seam between a search and those who explore it, wherever they are: threads of this process (local_pool.h), or
// whatever can carry bytes. Items go out, answers come back, in any order; some never do.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "dist/work_item.h"

namespace heddle::dist {

// What an explorer has met that makes the search another one: more of the program is visible now, so its executions
// have other steps than before. Explorers of models meet nothing of the kind.
struct Discovery {
  std::vector<Bytes> lessons;  // for other explorers to learn; what they say is the explorers' business
  // The program did not repeat itself: from now on every execution gets a process of its own, ...
  bool isolate = false;
  // ... or every step is run, whether or not it is known where it leads.
  bool run_all = false;
  bool operator==(const Discovery&) const = default;
};

struct Answer {
  std::uint64_t segment = 0;
  std::uint32_t attempt = 0;
  std::optional<WorkResult> result = {};  // nothing: the item is lost
  std::string error = {};                 // ... and would be again
  // No result, as the search has to begin anew if the item was its front. If it was speculation, the item is for the
  // front only: what it has met is met in its time, as by one explorer.
  std::optional<Discovery> discovery = {};
  bool for_front_only = false;  // the same of something that does not make the search another one
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
  // The search begins anew with what this answer has brought; items that are out are void.
  virtual void begin_anew(const Answer&) {}
  // What explorers have to know beside an item, if it has changed since the last call: for a journal, which keeps it
  // with the results that rely on it.
  virtual std::optional<Bytes> take_knowledge() { return std::nullopt; }
};

}  // namespace heddle::dist
