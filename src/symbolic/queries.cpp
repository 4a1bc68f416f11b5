#include "symbolic/queries.h"

#include <algorithm>

#include "symbolic/inversion.h"
#include "symbolic/linear.h"

namespace heddle::symbolic {
namespace {

constexpr std::size_t kRecent = 16;
constexpr std::size_t kSatisfiedPerCondition = 16;
constexpr std::size_t kAnswered = 1'000'000;  // beyond, the cache starts anew

}  // namespace

Queries::Queries(TermStore& store, const QueryOptions& options, std::unique_ptr<Solver> solver)
    : store_(store), options_(options), solver_(std::move(solver)) {}

Queries::~Queries() = default;

QueryCounts Queries::counts() const {
  QueryCounts out = counts_;
  std::vector<float> sorted = solver_microseconds_;
  std::sort(sorted.begin(), sorted.end());
  if (!sorted.empty()) {
    out.median_call = sorted[sorted.size() / 2];
    out.late_call = sorted[sorted.size() * 95 / 100];
  }
  return out;
}

Answer Queries::ask(std::vector<TermId> conditions, const Assignment& hint, Assignment& inputs) {
  ++counts_.asked;
  std::sort(conditions.begin(), conditions.end());
  conditions.erase(std::unique(conditions.begin(), conditions.end()), conditions.end());
  if (options_.shortcuts && store_.all_hold(conditions, hint)) {
    inputs = hint;
    count(By::kHint);
    return Answer::kSat;
  }
  // The most expensive way that any slice needed is the question's.
  By hardest = By::kHint;
  Assignment found = hint;
  found.resize(store_.inputs(), 0);
  Answer answer = Answer::kSat;
  for (const Set& slice : options_.shortcuts ? slices(conditions) : std::vector<Set>{conditions}) {
    if (options_.shortcuts && store_.all_hold(slice, hint)) continue;
    std::shared_ptr<const Assignment> part;
    By by = By::kNobody;
    const Answer partial = settle(slice, hint, part, by);
    hardest = std::max(hardest, by);
    if (partial == Answer::kSat) {
      for (const TermId c : slice)
        for (const std::uint32_t i : store_.support(c)) found[i] = i < part->size() ? (*part)[i] : 0;
      continue;
    }
    answer = partial;
    if (partial == Answer::kUnsat) {
      hardest = by;
      break;
    }
  }
  count(hardest);
  if (answer == Answer::kSat) inputs = std::move(found);
  return answer;
}

// Connected components: two conditions are neighbours if they share an input.
std::vector<Queries::Set> Queries::slices(const Set& conditions) {
  std::vector<std::size_t> slice_of_input(store_.inputs(), SIZE_MAX);
  std::vector<Set> parts;
  for (const TermId c : conditions) {
    std::size_t mine = SIZE_MAX;
    for (const std::uint32_t i : store_.support(c)) {
      const std::size_t other = slice_of_input[i];
      if (other == SIZE_MAX || other == mine) continue;
      if (mine == SIZE_MAX) {
        mine = other;
        continue;
      }
      parts[mine].insert(parts[mine].end(), parts[other].begin(), parts[other].end());
      parts[other].clear();
      for (std::size_t& s : slice_of_input)
        if (s == other) s = mine;
    }
    if (mine == SIZE_MAX) {
      mine = parts.size();
      parts.emplace_back();
    }
    parts[mine].push_back(c);
    for (const std::uint32_t i : store_.support(c)) slice_of_input[i] = mine;
  }
  std::erase_if(parts, [](const Set& s) { return s.empty(); });
  for (Set& s : parts) std::sort(s.begin(), s.end());
  return parts;
}

Answer Queries::settle(const Set& slice, const Assignment& hint, std::shared_ptr<const Assignment>& inputs, By& by) {
  Entry entry;
  if (options_.shortcuts) {
    if (contradicts(slice)) {
      by = By::kContradiction;
      return Answer::kUnsat;
    }
    if (recall(slice, entry)) {
      by = By::kCache;
      inputs = entry.inputs;
      return entry.answer;
    }
    for (const auto& recent : recent_)
      if (store_.all_hold(slice, *recent)) {
        by = By::kReuse;
        inputs = recent;
        return Answer::kSat;
      }
    if (linearly_contradictory(store_, slice)) {
      by = By::kLinear;
      remember(slice, {Answer::kUnsat, nullptr}, linear_core(store_, slice));
      return Answer::kUnsat;
    }
    if (auto inverted = invert(store_, slice, hint)) {
      by = By::kInversion;
      inputs = std::make_shared<const Assignment>(std::move(*inverted));
      remember(slice, {Answer::kSat, inputs}, {});
      return Answer::kSat;
    }
  }
  Assignment solved;
  Set core;
  entry.answer = call_solvers(slice, solved, core, by);
  if (entry.answer == Answer::kSat) inputs = entry.inputs = std::make_shared<const Assignment>(std::move(solved));
  if (options_.shortcuts) remember(slice, entry, core);
  return entry.answer;
}

bool Queries::contradicts(const Set& slice) const {
  return std::any_of(slice.begin(), slice.end(), [&](TermId c) {
    if (store_.is_constant(c)) return store_[c].value == 0;
    const Term& t = store_[c];
    return t.kind == TermKind::kNot && std::binary_search(slice.begin(), slice.end(), t.a);
  });
}

bool Queries::recall(const Set& slice, Entry& entry) {
  if (const auto place = answered_.find(slice); place != answered_.end()) {
    entry = place->second;
    return true;
  }
  for (const TermId c : slice) {
    const auto cores = cores_.find(c.value);
    if (cores == cores_.end()) continue;
    for (const Set& core : cores->second)
      if (std::includes(slice.begin(), slice.end(), core.begin(), core.end())) {
        entry.answer = Answer::kUnsat;
        return true;
      }
  }
  // A superset has every condition of the slice, so the one with the fewest known supersets will do to look under.
  const auto supersets = satisfied_.find(slice.back().value);
  if (supersets == satisfied_.end()) return false;
  for (const auto& [set, inputs] : supersets->second)
    if (std::includes(set.begin(), set.end(), slice.begin(), slice.end())) {
      entry = {Answer::kSat, inputs};
      return true;
    }
  return false;
}

Answer Queries::call_solvers(const Set& slice, Assignment& inputs, Set& core, By& by) {
  Solution s = solver_->solve(slice, options_.z3_limit);
  if (s.answer == Answer::kSat && !store_.all_hold(slice, s.inputs)) {
    ++s.wrong_models;
    s.answer = Answer::kUnknown;
  }
  counts_.wrong_models += s.wrong_models;
  by = s.answer == Answer::kUnknown ? By::kNobody : s.by == SolvedBy::kZ3 ? By::kZ3 : By::kCadical;
  inputs = std::move(s.inputs);
  core = std::move(s.core);
  solver_microseconds_.push_back(static_cast<float>(s.microseconds));
  return s.answer;
}

void Queries::remember(const Set& slice, const Entry& entry, const Set& core) {
  if (answered_.size() >= kAnswered) {
    answered_.clear();
    satisfied_.clear();
  }
  answered_[slice] = entry;
  if (entry.answer == Answer::kSat) {
    recent_.push_front(entry.inputs);
    if (recent_.size() > kRecent) recent_.pop_back();
    for (const TermId c : slice) {
      auto& sets = satisfied_[c.value];
      sets.emplace_front(slice, entry.inputs);
      if (sets.size() > kSatisfiedPerCondition) sets.pop_back();
    }
  } else if (entry.answer == Answer::kUnsat && !core.empty()) {
    Set sorted = core;
    std::sort(sorted.begin(), sorted.end());
    cores_[sorted.front().value].push_back(std::move(sorted));
  }
}

void Queries::count(By by) {
  switch (by) {
    case By::kHint:
      ++counts_.by_hint;
      return;
    case By::kContradiction:
      ++counts_.by_contradiction;
      return;
    case By::kCache:
      ++counts_.by_cache;
      return;
    case By::kReuse:
      ++counts_.by_reuse;
      return;
    case By::kLinear:
      ++counts_.by_linear;
      return;
    case By::kInversion:
      ++counts_.by_inversion;
      return;
    case By::kCadical:
      ++counts_.by_cadical;
      return;
    case By::kZ3:
      ++counts_.by_z3;
      return;
    case By::kNobody:
      ++counts_.unknown;
      return;
  }
}

}  // namespace heddle::symbolic
