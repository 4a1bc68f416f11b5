// Insertions that follow the trail of the last one against those that begin at the root; and trees against the
// definition (JACM 2017, Definition 6.1), with weak initials and equivalence by trying all orders.
#include "explore/wakeup_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
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
    WakeupForest plain, trailed;
    WakeupIndex plain_first = kNoWakeup, trailed_first = kNoWakeup;
    Sequence sequences[] = {Sequence(random), Sequence(random), Sequence(random)};  // the last one without a trail
    WakeupForest::Trail trails[2];
    for (int insertion = 0; insertion < 60; ++insertion) {
      const std::size_t which = random.below(3);
      std::vector<const Step*> w = sequences[which].change(random), also_w = w;
      const auto one = plain.insert(plain_first, w);
      const auto other = which == 2 ? trailed.insert(trailed_first, also_w)
                                    : trailed.insert(trailed_first, also_w, trails[which], sequences[which].same);
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

using StepSequence = std::vector<Step>;

// By threads; of one thread the steps come in their order.
std::string name_of(const StepSequence& sequence) {
  std::string text;
  for (const Step& step : sequence) text += std::to_string(step.thread.value) + "." + std::to_string(step.choice) + " ";
  return text;
}

// All sequences that swapping adjacent independent steps leads to.
std::map<std::string, StepSequence> equivalent(const StepSequence& sequence) {
  std::map<std::string, StepSequence> known{{name_of(sequence), sequence}};
  std::vector<StepSequence> open{sequence};
  while (!open.empty()) {
    const StepSequence one = std::move(open.back());
    open.pop_back();
    for (std::size_t i = 0; i + 1 < one.size(); ++i) {
      if (trace::dependent(one[i], one[i + 1])) continue;
      StepSequence other = one;
      std::swap(other[i], other[i + 1]);
      if (known.emplace(name_of(other), other).second) open.push_back(std::move(other));
    }
  }
  return known;
}

bool same(const Step& a, const Step& b) { return a.thread == b.thread && a.choice == b.choice; }

// p is a weak initial of w: p.w' is equivalent to w, or to w.p.
bool weak_initial(const Step& p, const StepSequence& w) {
  const auto begins = [&](const StepSequence& sequence) {
    for (const auto& [text, member] : equivalent(sequence))
      if (same(member.front(), p)) return true;
    return false;
  };
  if (std::any_of(w.begin(), w.end(), [&](const Step& s) { return s.thread == p.thread; })) return begins(w);
  StepSequence longer = w;
  longer.push_back(p);
  return begins(longer);
}

// What `of` has beyond `other`, by threads.
StepSequence beyond(const StepSequence& of, const StepSequence& other) {
  std::map<ThreadId, std::size_t> left;
  for (const Step& s : other) ++left[s.thread];
  StepSequence rest;
  for (const Step& s : of) {
    if (left[s.thread] == 0)
      rest.push_back(s);
    else
      --left[s.thread];
  }
  return rest;
}

// v ~ w: some continuations of the two are equivalent.
bool consistent(const StepSequence& v, const StepSequence& w) {
  StepSequence a = v, b = w;
  for (const Step& s : beyond(w, v)) a.push_back(s);
  for (const Step& s : beyond(v, w)) b.push_back(s);
  return equivalent(a).contains(name_of(b));
}

// Whenever u.p comes before the leaf u.w, p is no weak initial of w.
void satisfies_definition(const WakeupForest& forest, WakeupIndex first) {
  std::vector<Step> before;
  for (; first != kNoWakeup; first = forest[first].next_sibling) {
    for (const StepSequence& w : forest.sequences(first))
      for (const Step& p : before) ASSERT_FALSE(weak_initial(p, w)) << name_of(w) << "and " << p.thread.value;
    before.push_back(forest[first].step);
    satisfies_definition(forest, forest[first].first_child);
  }
}

TEST(WakeupTrees, AreThoseOfTheDefinition) {
  std::size_t leaves = 0, covered = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    RandomSteps random(seed);
    // A program without choices: each thread has its steps.
    std::vector<StepSequence> threads(4);
    for (std::uint16_t t = 0; t < threads.size(); ++t)
      for (int i = 0; i < 2; ++i) {
        Step step;
        step.thread = ThreadId(t);
        step.op.kind = random.below(2) == 0 ? OpKind::kRead : OpKind::kWrite;
        step.op.object = ObjectId(static_cast<std::uint32_t>(random.below(2)));
        threads[t].push_back(step);
      }
    WakeupForest forest;
    WakeupIndex first = kNoWakeup;
    for (int insertion = 0; insertion < 10; ++insertion) {
      std::vector<std::size_t> done(threads.size(), 0);
      StepSequence w;
      for (std::size_t n = 1 + random.below(5); w.size() < n;) {
        const std::size_t t = random.below(threads.size());
        if (done[t] < threads[t].size()) w.push_back(threads[t][done[t]++]);
      }
      std::vector<const Step*> pointers;
      for (const Step& s : w) pointers.push_back(&s);
      const bool added = forest.insert(first, pointers).added;
      (added ? leaves : covered)++;
      satisfies_definition(forest, first);
      // Some leaf is consistent with w.
      bool found = false;
      for (WakeupIndex i = first; i != kNoWakeup; i = forest[i].next_sibling)
        for (const StepSequence& v : forest.sequences(i)) found = found || consistent(v, w);
      ASSERT_TRUE(found) << "seed " << seed << ": " << name_of(w);
      if (HasFatalFailure()) FAIL() << "seed " << seed;
    }
  }
  EXPECT_GT(leaves, 400u);
  EXPECT_GT(covered, 200u);
}

}  // namespace
}  // namespace heddle::explore
