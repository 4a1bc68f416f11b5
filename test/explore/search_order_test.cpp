#include "explore/search_order.h"

#include <gtest/gtest.h>

namespace heddle::explore {
namespace {

// Whatever the order, every wanted sibling is visited, even while explored ones disappear.
TEST(SearchOrder, VisitsEverySibling) {
  for (OrderKind kind : {OrderKind::kDfs, OrderKind::kBitReversal, OrderKind::kRoundRobin, OrderKind::kStride,
                         OrderKind::kConflictFirst}) {
    for (std::size_t n = 1; n <= 20; ++n) {
      for (std::uint64_t seed : {0, 1, 7, 1000}) {
        SiblingCounter counter;
        const ThreadSet siblings = ThreadSet::below(n);
        ThreadSet wanted = siblings;
        for (std::size_t i = 0; i < n; ++i) {
          const ThreadId t = choose_sibling({kind, seed}, counter, siblings, wanted, i);
          ASSERT_TRUE(wanted.contains(t));
          wanted.erase(t);
        }
        EXPECT_TRUE(wanted.empty());
      }
    }
  }
}

std::vector<int> visited(OrderKind kind, std::uint64_t seed) {
  SiblingCounter counter;
  ThreadSet wanted = ThreadSet::below(8);
  std::vector<int> order;
  while (!wanted.empty()) {
    const ThreadId t = choose_sibling({kind, seed}, counter, ThreadSet::below(8), wanted, 0);
    order.push_back(t.value);
    wanted.erase(t);
  }
  return order;
}

TEST(SearchOrder, BitReversalSpreads) {
  EXPECT_EQ(visited(OrderKind::kBitReversal, 0), (std::vector<int>{0, 4, 2, 6, 1, 5, 3, 7}));
}

TEST(SearchOrder, OthersDifferFromDepthFirst) {
  EXPECT_EQ(visited(OrderKind::kConflictFirst, 0), (std::vector<int>{7, 6, 5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(visited(OrderKind::kRoundRobin, 3), (std::vector<int>{3, 4, 5, 6, 7, 0, 1, 2}));
  EXPECT_NE(visited(OrderKind::kStride, 1), visited(OrderKind::kDfs, 0));
}

}  // namespace
}  // namespace heddle::explore
