// One search by everybody in a pool: hands out items, takes in results, keeps the journal, and knows when it is over.
#pragma once

#include "dist/coordinator.h"
#include "dist/work_pool.h"

namespace heddle::dist {

// What has changed is to be safe when this returns; an error ends the search.
class Recorder {
 public:
  virtual ~Recorder() = default;
  // `knowledge`: of the explorers, if it has changed.
  virtual std::optional<Error> record(const Coordinator& coordinator, const Changes& changes,
                                      const std::optional<Bytes>& knowledge) = 0;
};

struct SearchOptions {
  std::optional<std::uint64_t> max_executions;  // of the whole search, whoever ran them and when
  std::optional<double> max_seconds;            // from now on
  bool all = false;                             // go on after the first finding
  // Asked with how many executions there were: true ends the search, as a budget does.
  std::function<bool(std::uint64_t)> gives_way;
  std::function<bool(const explore::Progress&)> observer;
  Recorder* recorder = nullptr;
  // Items take so long at most. What is lost when somebody is killed is what it has done since its last answer.
  std::uint32_t longest_item = 400;  // milliseconds
};

Result<explore::ExploreResult> search(Coordinator& coordinator, WorkPool& pool, const SearchOptions& options);

}  // namespace heddle::dist
