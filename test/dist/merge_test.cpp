// What two explorers have done to one node, put together as if one had done both, or refused.
#include "dist/merge.h"

#include <gtest/gtest.h>

namespace heddle::dist {
namespace {

using explore::SavedNode;
using trace::Step;

Step step(std::uint16_t thread) {
  Step s;
  s.thread = ThreadId(thread);
  s.op.kind = trace::OpKind::kWrite;
  s.op.object = ObjectId(0);
  return s;
}

using Tree = std::vector<std::vector<std::uint16_t>>;

SavedNode wakeups(const Tree& tree, const std::vector<std::uint16_t>& explored = {}) {
  SavedNode node;
  for (const auto& sequence : tree) {
    node.wakeups.emplace_back();
    for (const std::uint16_t thread : sequence) node.wakeups.back().push_back(step(thread));
  }
  for (const std::uint16_t thread : explored) node.explored.push_back(step(thread));
  node.open = !tree.empty();
  return node;
}

// Before: thread 0 is being explored, and `tree` is left.
const SavedNode before = wakeups({{1}, {2, 3}});

TEST(Merge, OneOfThemChangedIt) {
  const SavedNode more = wakeups({{1}, {2, 3}, {4}});
  EXPECT_EQ(merged(before, before, more, step(0)), more);
  EXPECT_EQ(merged(before, more, before, step(0)), more);
}

TEST(Merge, BranchesThatWereAddedComeLast) {
  const SavedNode theirs = wakeups({{1}, {2, 3}, {4}});
  const SavedNode ours = wakeups({{2, 3}}, {0});  // at work on 1
  EXPECT_EQ(merged(before, theirs, ours, step(1)), wakeups({{2, 3}, {4}}, {0}));
  const SavedNode done = wakeups({}, {0, 1});  // at work on 2
  EXPECT_EQ(merged(before, theirs, done, step(2)), wakeups({{4}}, {0, 1}));
}

TEST(Merge, WithinABranchThatWasNotBegun) {
  const SavedNode theirs = wakeups({{1}, {2, 3}, {2, 4}});
  const SavedNode ours = wakeups({{2, 3}}, {0});
  EXPECT_EQ(merged(before, theirs, ours, step(1)), wakeups({{2, 3}, {2, 4}}, {0}));
}

TEST(Merge, WithinABranchThatWasBegun) {
  EXPECT_FALSE(merged(before, wakeups({{1}, {2, 3}, {2, 4}}), wakeups({}, {0, 1}), step(2)));
  EXPECT_FALSE(merged(before, wakeups({{1}, {2, 3}, {2, 4}}), wakeups({{2, 3}, {2, 5}}, {0}), step(1)));
}

TEST(Merge, BothHaveAdded) {
  const SavedNode theirs = wakeups({{1}, {2, 3}, {4}});
  EXPECT_FALSE(merged(before, theirs, wakeups({{2, 3}, {5}}, {0}), step(1)));
  // What we have added we have also begun, or even left again.
  EXPECT_FALSE(merged(before, theirs, wakeups({}, {0, 1, 2}), step(5)));
  EXPECT_FALSE(merged(before, theirs, wakeups({}, {0, 1, 2, 5}), step(2)));
}

SavedNode backtrack(std::initializer_list<int> threads, std::initializer_list<int> done = {}) {
  SavedNode node;
  for (const int t : threads) node.backtrack.insert(static_cast<std::size_t>(t));
  for (const int t : done) node.done.insert(static_cast<std::size_t>(t));
  node.open = true;
  return node;
}

TEST(Merge, BacktrackSets) {
  const SavedNode at_first = backtrack({0, 2});
  // We are at work on 2: what comes later may be added, what comes before may not.
  EXPECT_EQ(merged(at_first, backtrack({0, 2, 3}), backtrack({0, 2}, {0}), step(2)), backtrack({0, 2, 3}, {0}));
  EXPECT_FALSE(merged(at_first, backtrack({0, 1, 2}), backtrack({0, 2}, {0}), step(2)));
  EXPECT_FALSE(merged(at_first, backtrack({0, 2, 3}), backtrack({0, 2, 4}, {0}), step(2)));
}

}  // namespace
}  // namespace heddle::dist
