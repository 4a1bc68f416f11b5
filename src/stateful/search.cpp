#include "stateful/search.h"

#include "stateful/marking_search.h"
#include "stateful/stateful_unfolding.h"

namespace heddle::stateful {

Search::Search(Kind kind, const StatefulOptions& options) {
  if (kind == Kind::kMarkings)
    markings_ = std::make_shared<MarkingSearch>(options);
  else
    unfolding_ = std::make_shared<StatefulUnfolding>(options);
}

std::unique_ptr<explore::Strategy> Search::share() const {
  if (markings_) return std::make_unique<explore::SharedStrategy>(markings_);
  return std::make_unique<explore::SharedStrategy>(unfolding_);
}

Statistics Search::statistics() const { return markings_ ? markings_->statistics() : unfolding_->statistics(); }

}  // namespace heddle::stateful
