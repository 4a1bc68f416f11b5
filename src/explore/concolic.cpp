#include "explore/concolic.h"

#include <algorithm>
#include <set>

namespace heddle::explore {

bool compatible(Feasibility* judge, const Sequence& path, const Sequence& more, const Step& last) {
  if (judge == nullptr) return true;
  Sequence all = path;
  all.insert(all.end(), more.begin(), more.end());
  all.push_back(&last);
  return judge->feasible(all);
}

Sequence branches_of(std::span<const Step> path) {
  Sequence branches;
  for (const Step& step : path)
    if (is_branch(step)) branches.push_back(&step);
  return branches;
}

bool excluded(Feasibility& judge, std::span<const Step> path, const Sequence& v, const Step& branch) {
  return !compatible(&judge, branches_of(path), v, branch);
}

namespace {

// Reiter's hitting-set tree: where the whole is impossible, each branch of a minimal conflict is left out in turn.
class MaximalParts {
 public:
  MaximalParts(Feasibility& judge, const Sequence& path, const Sequence& rest, const Step& last,
               const std::function<bool(std::size_t, std::size_t)>& before)
      : judge_(judge), path_(path), rest_(rest), last_(last), before_(before) {}

  std::vector<Sequence> run() {
    search(std::vector<bool>(rest_.size(), true));
    std::vector<Sequence> parts;
    for (const Kept& kept : found_)
      if (maximal(kept)) parts.push_back(sequence(kept));
    return parts;
  }

 private:
  using Kept = std::vector<bool>;

  Sequence sequence(const Kept& kept) const {
    Sequence out;
    for (std::size_t i = 0; i < rest_.size(); ++i)
      if (kept[i]) out.push_back(rest_[i]);
    return out;
  }

  bool possible(const Kept& kept) { return compatible(&judge_, path_, sequence(kept), last_); }

  Kept without(Kept kept, std::size_t branch) const {
    for (std::size_t i = branch; i < rest_.size(); ++i)
      if (i == branch || before_(branch, i)) kept[i] = false;
    return kept;
  }

  void search(const Kept& kept) {
    if (!visited_.insert(kept).second) return;
    if (possible(kept)) {
      found_.push_back(kept);
      return;
    }
    for (const std::size_t branch : conflict(kept)) search(without(kept, branch));
  }

  // A minimal set of branches among the kept ones that exclude each other, path and last. Only their conditions count
  // here, so nothing that depends on a branch is dropped with it.
  std::vector<std::size_t> conflict(const Kept& kept) {
    std::vector<std::size_t> branches;
    for (std::size_t i = 0; i < rest_.size(); ++i)
      if (kept[i] && is_branch(*rest_[i])) branches.push_back(i);
    for (std::size_t k = 0; k < branches.size();) {
      Sequence others;
      for (std::size_t j = 0; j < branches.size(); ++j)
        if (j != k) others.push_back(rest_[branches[j]]);
      if (compatible(&judge_, path_, others, last_))
        ++k;
      else
        branches.erase(branches.begin() + static_cast<std::ptrdiff_t>(k));
    }
    return branches;
  }

  bool maximal(const Kept& kept) const {
    return std::none_of(found_.begin(), found_.end(), [&](const Kept& other) {
      if (other == kept) return false;
      for (std::size_t i = 0; i < kept.size(); ++i)
        if (kept[i] && !other[i]) return false;
      return true;
    });
  }

  Feasibility& judge_;
  const Sequence& path_;
  const Sequence& rest_;
  const Step& last_;
  const std::function<bool(std::size_t, std::size_t)>& before_;
  std::set<Kept> visited_;
  std::vector<Kept> found_;
};

}  // namespace

std::vector<Sequence> compatible_parts(Feasibility& judge, const Sequence& path, const Sequence& rest, const Step& last,
                                       const std::function<bool(std::size_t, std::size_t)>& before) {
  return MaximalParts(judge, path, rest, last, before).run();
}

}  // namespace heddle::explore
