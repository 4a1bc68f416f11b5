// The order of events against its definitions (Kähkönen 2015 Def. 27 to 31), written down the slow way.
#include "stateful/erv_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/random.h"

namespace heddle::stateful {
namespace {

using Sequence = std::vector<std::uint32_t>;
using Configuration = std::vector<OrderedEvent>;

// Def. 27: a beginning comes first, else the first difference decides.
bool smaller(const Sequence& a, const Sequence& b) {
  for (std::size_t i = 0;; ++i) {
    if (i == b.size()) return false;
    if (i == a.size()) return true;
    if (a[i] != b[i]) return a[i] < b[i];
  }
}

Sequence phi(Configuration events) {
  Sequence transitions;
  for (const OrderedEvent& e : events) transitions.push_back(e.transition);
  std::sort(transitions.begin(), transitions.end());
  return transitions;
}

std::vector<Sequence> foata(const Configuration& events) {
  std::map<std::uint32_t, Configuration> levels;
  for (const OrderedEvent& e : events) levels[e.level].push_back(e);
  std::vector<Sequence> form;
  for (const auto& [level, members] : levels) form.push_back(phi(members));
  return form;
}

bool before(const Configuration& a, const Configuration& b) {
  if (a.size() != b.size()) return a.size() < b.size();
  if (phi(a) != phi(b)) return smaller(phi(a), phi(b));
  const auto x = foata(a), y = foata(b);
  for (std::size_t i = 0; i < x.size() && i < y.size(); ++i)
    if (x[i] != y[i]) return smaller(x[i], y[i]);
  return false;  // one has a level more, and all of the other's: not with the same size
}

// Every level below the highest has an event, as in a configuration.
Configuration random_configuration(Random& random) {
  Configuration events;
  const std::uint64_t size = 1 + random.below(5);
  std::uint32_t level = 1;
  for (std::uint64_t i = 0; i < size; ++i) {
    if (i > 0) level += static_cast<std::uint32_t>(random.below(2));
    events.push_back({level, static_cast<std::uint32_t>(random.below(4))});
  }
  return events;
}

TEST(ErvOrder, IsThatOfTheDefinitions) {
  Random random(1);
  int equal_parikh = 0;
  for (int i = 0; i < 200'000; ++i) {
    Configuration a = random_configuration(random), b = random_configuration(random);
    equal_parikh += a.size() > 1 && phi(a) == phi(b);
    EXPECT_EQ(erv_before(a, b), before(a, b));
  }
  EXPECT_GT(equal_parikh, 1'000);
}

TEST(ErvOrder, IsAStrictOrder) {
  Random random(2);
  for (int i = 0; i < 50'000; ++i) {
    Configuration a = random_configuration(random), b = random_configuration(random), c = random_configuration(random);
    EXPECT_FALSE(erv_before(a, a));
    EXPECT_FALSE(erv_before(a, b) && erv_before(b, a));
    EXPECT_TRUE(!(erv_before(a, b) && erv_before(b, c)) || erv_before(a, c));
  }
}

// Kähkönen 2015 Example 24.
TEST(ErvOrder, ComparesAsInTheExample) {
  EXPECT_TRUE(smaller({1, 2, 5}, {1, 3, 3, 4, 4}));
  EXPECT_TRUE(smaller({1, 3}, {1, 3, 3, 4, 4}));
}

}  // namespace
}  // namespace heddle::stateful
