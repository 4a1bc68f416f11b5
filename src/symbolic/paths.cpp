#include "symbolic/paths.h"

#include "base/assert.h"

namespace heddle::symbolic {

namespace {
constexpr std::size_t kMostPaths = 1'000'000;
}

void Paths::forget() {
  nodes_.assign(1, {});
  nodes_[0].answer = Answer::kSat;
  nodes_[0].answered = true;
  nodes_[0].inputs = std::make_shared<const Assignment>();
  children_.clear();
}

bool Paths::trim() {
  if (nodes_.size() <= kMostPaths) return false;
  forget();
  return true;
}

PathId Paths::child(PathId path, TermId condition) {
  const std::uint64_t key = (std::uint64_t{path} << 32) | condition.value;
  const auto [place, added] = children_.try_emplace(key, static_cast<PathId>(nodes_.size()));
  if (added) nodes_.push_back({path, condition, Answer::kUnknown, false, nullptr});
  return place->second;
}

Answer Paths::feasible(PathId path, TermId condition) {
  const PathId next = child(path, condition);
  if (nodes_[next].answered) return nodes_[next].answer;
  REQUIRE(has_inputs(path));
  std::vector<TermId> all = conditions(path);
  all.push_back(condition);
  Assignment found;
  const Answer answer = queries_.ask(std::move(all), inputs(path), found);
  nodes_[next].answered = true;
  nodes_[next].answer = answer;
  if (answer == Answer::kSat) nodes_[next].inputs = std::make_shared<const Assignment>(std::move(found));
  return answer;
}

PathId Paths::extend(PathId path, TermId condition, const Assignment* given) {
  const PathId next = child(path, condition);
  Node& node = nodes_[next];
  if (given != nullptr && node.inputs == nullptr) {
    SLOW_INVARIANT(store_.evaluate(condition, *given) != 0);
    node.inputs = std::make_shared<const Assignment>(*given);
    node.answer = Answer::kSat;
    node.answered = true;
  }
  return next;
}

std::vector<TermId> Paths::conditions(PathId path) const {
  std::vector<TermId> all;
  for (; path != kEmptyPath; path = nodes_[path].parent) all.push_back(nodes_[path].condition);
  return all;
}

}  // namespace heddle::symbolic
