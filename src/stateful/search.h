// One of the stateful algorithms, made for an engine and kept by whoever wants to know afterwards what it came to.
#pragma once

#include <memory>

#include "explore/strategy.h"
#include "stateful/statistics.h"

namespace heddle::stateful {

class MarkingSearch;
class StatefulUnfolding;

enum class Kind : std::uint8_t { kMarkings, kUnfolding };

class Search {
 public:
  Search(Kind kind, const StatefulOptions& options);

  std::unique_ptr<explore::Strategy> share() const;
  Statistics statistics() const;

 private:
  std::shared_ptr<MarkingSearch> markings_;  // one of these
  std::shared_ptr<StatefulUnfolding> unfolding_;
};

}  // namespace heddle::stateful
