#include "dist/merge.h"

#include <algorithm>
#include <span>

namespace heddle::dist {
namespace {

using explore::SavedNode;
using trace::Step;
using Sequence = std::vector<Step>;
using Branch = std::span<const Sequence>;  // of a wakeup tree: sequences that begin with the same step

std::vector<Branch> branches_of(const std::vector<Sequence>& tree) {
  std::vector<Branch> branches;
  for (std::size_t i = 0; i < tree.size();) {
    std::size_t end = i + 1;
    while (end < tree.size() && tree[end][0].thread == tree[i][0].thread && tree[end][0].choice == tree[i][0].choice)
      ++end;
    branches.emplace_back(tree.data() + i, end - i);
    i = end;
  }
  return branches;
}

bool begin_alike(const Branch& a, const Branch& b) {
  return a[0][0].thread == b[0][0].thread && a[0][0].choice == b[0][0].choice;
}

const Branch* find_like(const std::vector<Branch>& branches, const Branch& like) {
  const auto found =
      std::find_if(branches.begin(), branches.end(), [&](const Branch& b) { return begin_alike(b, like); });
  return found == branches.end() ? nullptr : &*found;
}

bool same(const Branch& a, const Branch& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

// Have we taken a branch that was not there before? What we have taken since is among what was explored, after the step
// that they were at, but for the last.
bool took_a_new_one(const std::vector<Branch>& old, const SavedNode& before, const SavedNode& ours, const Step& last) {
  const auto is_new = [&](const Step& step) {
    return std::none_of(old.begin(), old.end(), [&](const Branch& branch) {
      return branch[0][0].thread == step.thread && branch[0][0].choice == step.choice;
    });
  };
  if (ours.explored.size() == before.explored.size()) return false;
  const auto taken = ours.explored.begin() + static_cast<std::ptrdiff_t>(before.explored.size()) + 1;
  return std::any_of(taken, ours.explored.end(), is_new) || is_new(last);
}

std::optional<SavedNode> merged_wakeups(const SavedNode& before, const SavedNode& theirs, const SavedNode& ours,
                                        const Step& last) {
  const auto old = branches_of(before.wakeups), first = branches_of(theirs.wakeups), second = branches_of(ours.wakeups);
  std::vector<Sequence> tree;
  const auto append = [&](const Branch& branch) { tree.insert(tree.end(), branch.begin(), branch.end()); };
  bool we_added = took_a_new_one(old, before, ours, last), they_added = false;
  for (const Branch& branch : second) {
    const Branch* was = find_like(old, branch);
    const Branch* is = find_like(first, branch);
    if (was == nullptr) {
      we_added = true;
      append(branch);
      continue;
    }
    if (is == nullptr) return std::nullopt;
    if (!same(*is, *was) && !same(branch, *was)) return std::nullopt;
    append(same(branch, *was) ? *is : branch);
  }
  for (const Branch& branch : first) {
    const Branch* was = find_like(old, branch);
    if (was == nullptr) {
      they_added = true;
      append(branch);
    } else if (find_like(second, branch) == nullptr && !same(branch, *was)) {
      return std::nullopt;  // we have begun it as it was
    }
  }
  if (we_added && they_added) return std::nullopt;
  SavedNode node = ours;
  node.wakeups = std::move(tree);
  node.open = !node.wakeups.empty();
  return node;
}

std::optional<SavedNode> merged_backtrack(const SavedNode& before, const SavedNode& theirs, const SavedNode& ours,
                                          ThreadId last_taken) {
  SavedNode without = theirs;
  without.backtrack = before.backtrack;
  without.open = before.open;
  const ThreadSet added = theirs.backtrack - before.backtrack;
  if (!(without == before) || !(ours.backtrack == before.backtrack) || ours.siblings_tried != 0) return std::nullopt;
  if (added.empty()) return ours;
  if (added.first_thread() <= last_taken || !ours.choices_left.empty()) return std::nullopt;
  SavedNode node = ours;
  node.backtrack = node.backtrack | added;
  node.open = true;  // perhaps
  return node;
}

}  // namespace

std::optional<SavedNode> merged(const SavedNode& before, const SavedNode& theirs, const SavedNode& ours,
                                const Step& last_taken) {
  if (theirs == before) return ours;
  if (ours == before) return theirs;
  const bool wakeups = !before.wakeups.empty() || !theirs.wakeups.empty() || !ours.wakeups.empty();
  return wakeups ? merged_wakeups(before, theirs, ours, last_taken)
                 : merged_backtrack(before, theirs, ours, last_taken.thread);
}

}  // namespace heddle::dist
