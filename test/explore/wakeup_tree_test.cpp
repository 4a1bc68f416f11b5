// Insertions that follow the trail of the last one against those that begin at the root.
#include "explore/wakeup_tree.h"

#include <gtest/gtest.h>

#include <random>

namespace heddle::explore {
namespace {

using trace::OpKind;

class RandomSteps {
 public:
  explicit RandomSteps(std::uint64_t seed) : random_(seed) {}
  std::size_t below(std::size_t n) { return random_() % n; }

  Step next() {
    static constexpr OpKind kKinds[] = {OpKind::kRead,  OpKind::kRead, OpKind::kRead,   OpKind::kRead,
                                        OpKind::kWrite, OpKind::kJoin, OpKind::kSignal, OpKind::kChoose};
    Step step;
    step.thread = ThreadId(static_cast<std::uint16_t>(below(7)));
    step.op.kind = kKinds[below(std::size(kKinds))];
    step.op.object = ObjectId(static_cast<std::uint32_t>(below(2)));
    if (step.op.kind == OpKind::kJoin) step.op.peer = ThreadId(static_cast<std::uint16_t>(below(7)));
    if (step.op.kind == OpKind::kJoin || step.op.kind == OpKind::kChoose) step.op.object = kNoObject;
    if (step.op.kind == OpKind::kSignal || step.op.kind == OpKind::kChoose) {
      step.set = SmallSet::below(3);
      step.choice = static_cast<std::uint16_t>(below(3));
    }
    return step;
  }

 private:
  std::mt19937_64 random_;
};

std::string text_of(const WakeupForest& forest, WakeupIndex first) {
  std::string text;
  for (; first != kNoWakeup; first = forest[first].next_sibling) {
    const Step& step = forest[first].step;
    text.append("(").append(std::to_string(step.thread.value)).append(name_of(step.op.kind));
    text.append(std::to_string(step.op.object.value)).append(",").append(std::to_string(step.op.peer.value));
    text.append(",").append(std::to_string(step.choice)).append(text_of(forest, forest[first].first_child)).append(")");
  }
  return text;
}

// The next w: some of the same steps, then others.
struct Sequence {
  std::vector<Step> steps;  // with room for all
  std::size_t size = 0, same = 0;
  Step last;

  explicit Sequence(RandomSteps& random) : steps(12) {
    do last = random.next();
    while (last.op.kind > OpKind::kWaitRelease);
  }
  std::vector<const Step*> change(RandomSteps& random) {
    same = random.below(size + 1);
    size = same + random.below(steps.size() - same);
    for (std::size_t i = same; i < size; ++i) steps[i] = random.next();
    std::vector<const Step*> w;
    for (std::size_t i = 0; i < size; ++i) w.push_back(&steps[i]);
    w.push_back(&last);
    return w;
  }
};

TEST(WakeupTrees, ATrailLeadsWhereTheWayFromTheRootDoes) {
  std::size_t added = 0, covered = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    RandomSteps random(seed);
    const Rest rest = seed % 3 == 0 ? Rest::kPart : Rest::kWhole;
    WakeupForest plain, trailed;
    WakeupIndex plain_first = kNoWakeup, trailed_first = kNoWakeup;
    Sequence sequences[] = {Sequence(random), Sequence(random), Sequence(random)};  // the last one without a trail
    WakeupForest::Trail trails[2];
    for (int insertion = 0; insertion < 60; ++insertion) {
      const std::size_t which = random.below(3);
      std::vector<const Step*> w = sequences[which].change(random), also_w = w;
      const auto one = plain.insert(plain_first, w, rest);
      const auto other = which == 2 ? trailed.insert(trailed_first, also_w, rest)
                                    : trailed.insert(trailed_first, also_w, rest, trails[which], sequences[which].same);
      (one.added ? added : covered)++;
      ASSERT_EQ(one.added, other.added) << "seed " << seed;
      // With a trail it may not be known what from the root is.
      ASSERT_TRUE(other.all_counts || (!one.all_counts && one.furthest == other.furthest)) << "seed " << seed;
      ASSERT_EQ(text_of(plain, plain_first), text_of(trailed, trailed_first)) << "seed " << seed;
    }
  }
  EXPECT_GT(added, 10'000u);
  EXPECT_GT(covered, 10'000u);
}

}  // namespace
}  // namespace heddle::explore
