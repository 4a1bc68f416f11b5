// The conductor's tails and sleep sets, on a program as small as can be: n threads, each with a list of writes.
#include "trace/conductor.h"

#include <gtest/gtest.h>

#include <map>

namespace heddle::trace {
namespace {

using Script = std::vector<std::vector<std::uint32_t>>;  // objects written, by thread

Step write(std::size_t thread, std::uint32_t object) {
  Step s;
  s.thread = ThreadId(static_cast<std::uint16_t>(thread));
  s.op.kind = OpKind::kWrite;
  s.op.object = ObjectId(object);
  return s;
}

struct Conducted {
  Execution execution;
  bool asleep = false;
  bool diverged = false;
  std::string threads() const {
    std::string out;
    for (const Step& s : execution.steps) out += static_cast<char>('0' + s.thread.value);
    return out;
  }
};

Conducted run(const Script& script, const Schedule& schedule) {
  Conducted r;
  Conductor conductor;
  conductor.begin(schedule, r.execution);
  std::vector<std::size_t> at(script.size(), 0);
  ThreadSet enabled;
  const auto announce = [&](std::size_t t) {
    const ThreadId id(static_cast<std::uint16_t>(t));
    if (at[t] < script[t].size()) {
      conductor.announce(id, write(t, script[t][at[t]]));
      enabled.insert(t);
    } else {
      conductor.retire(id);
      enabled.erase(t);
    }
  };
  for (std::size_t t = 0; t < script.size(); ++t) announce(t);
  while (auto d = conductor.decide(enabled)) {
    const std::size_t t = d->thread.index();
    conductor.performed(write(t, script[t][at[t]++]));
    announce(t);
  }
  conductor.end(enabled);
  r.asleep = conductor.stopped_asleep();
  r.diverged = conductor.diverged();
  return r;
}

Schedule follow(std::initializer_list<int> threads) {
  Schedule s;
  for (int t : threads) s.steps.push_back({ThreadId(static_cast<std::uint16_t>(t)), kAnyChoice});
  s.fresh = s.steps.size();
  return s;
}

TEST(Conductor, FirstTailDoesNotPreempt) { EXPECT_EQ(run({{0, 0}, {0, 0}, {0}}, {}).threads(), "00112"); }

TEST(Conductor, FollowsTheScheduleThenStaysWithTheLastThread) {
  EXPECT_EQ(run({{0, 0}, {0, 0}, {0, 0}}, follow({2, 0, 1})).threads(), "201102");
}

TEST(Conductor, WishesComeBeforeTheTailAndArePassedOver) {
  Schedule schedule = follow({0});
  for (const std::uint16_t t : {1, 0, 1, 1, 2}) schedule.tail.wishes.push_back(ThreadId(t));
  EXPECT_EQ(run({{0, 0}, {0, 0}, {0, 0}}, schedule).threads(), "010122");  // thread 1 has no third step
  EXPECT_FALSE(run({{0, 0}, {0, 0}, {0, 0}}, schedule).diverged);
}

TEST(Conductor, RecordsWhoWasEnabled) {
  const Conducted r = run({{0}, {0, 0}}, {});
  ASSERT_EQ(r.execution.steps.size(), 3u);
  EXPECT_EQ(r.execution.steps[0].enabled, ThreadSet::below(2));
  EXPECT_EQ(r.execution.steps[1].enabled, ThreadSet::of(1));
  EXPECT_EQ(r.execution.threads, 2u);
}

TEST(Conductor, SaysWhereItCouldNotFollow) {
  const Conducted r = run({{0}, {0}}, follow({0, 0}));
  EXPECT_TRUE(r.diverged);
  EXPECT_EQ(r.execution.diverged_at, 1u);
}

TEST(Conductor, ASleepingThreadIsPassedOverUntilADependentStep) {
  // Thread 0 sleeps on a write of object 0. Thread 1 writes 1 (independent), then 0, which wakes it.
  Schedule s;
  s.sleep = {write(0, 0)};
  const Conducted r = run({{0}, {1, 0}}, s);
  EXPECT_EQ(r.threads(), "110");
  EXPECT_FALSE(r.asleep);
}

TEST(Conductor, StopsWhenOnlySleepersAreLeft) {
  Schedule s;
  s.sleep = {write(0, 0)};
  const Conducted r = run({{0}, {1}}, s);
  EXPECT_TRUE(r.asleep);
  EXPECT_EQ(r.threads(), "1");
  ASSERT_EQ(r.execution.pending.size(), 1u);
  EXPECT_TRUE(r.execution.pending[0].enabled);
}

TEST(Conductor, DelayedSleepersRunInTheEnd) {
  Schedule s;
  s.sleep = {write(0, 0)};
  s.sleep_rule = SleepRule::kDelay;
  EXPECT_EQ(run({{0}, {1}}, s).threads(), "10");
}

TEST(Conductor, SleepSetHoldsFromFreshOn) {
  // The step before `fresh` is dependent with the sleeper and must not wake it.
  Schedule s = follow({1});
  s.sleep = {write(0, 0)};
  EXPECT_TRUE(run({{0}, {0, 1}}, s).asleep);
}

TEST(Conductor, SamplingIsDeterministicBySeed) {
  const Script script{{0, 1, 0}, {0, 1, 0}, {1, 0, 1}};
  for (TailKind kind : {TailKind::kRandom, TailKind::kPct, TailKind::kPos, TailKind::kUniform, TailKind::kReadsFrom}) {
    std::map<std::string, int> seen;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      Schedule s;
      s.tail = {kind, seed, 3, 9};
      const Conducted r = run(script, s);
      EXPECT_EQ(r.threads(), run(script, s).threads());
      EXPECT_EQ(r.execution.steps.size(), 9u);
      ++seen[r.threads()];
    }
    EXPECT_GT(seen.size(), 15u) << "tail " << static_cast<int>(kind);
  }
}

TEST(Conductor, RandomIsUniformAmongTwo) {
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    Schedule s;
    s.tail = {TailKind::kRandom, seed, 3, 2};
    ++seen[run({{0}, {0}}, s).threads()];
  }
  EXPECT_NEAR(seen["01"], 2000, 200);
  EXPECT_EQ(seen["01"] + seen["10"], 4000);
}

// 30 interleavings of one step and two and two.
TEST(Conductor, UniformWalksDrawEveryInterleavingAsOften) {
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 0; seed < 30000; ++seed) {
    Schedule s;
    s.tail.kind = TailKind::kUniform;
    s.tail.seed = seed;
    s.tail.weights = {1, 2, 2};
    ++seen[run({{0}, {0, 1}, {1, 0}}, s).threads()];
  }
  EXPECT_EQ(seen.size(), 30u);
  for (const auto& [threads, times] : seen) EXPECT_NEAR(times, 1000, 130) << threads;
}

// Of the steps on object 0 every order is as likely, whatever else there is.
TEST(Conductor, SelectedStepsAreInterleavedUniformly) {
  const Script script{{1, 0}, {0, 1, 1, 1, 0}, {1, 1, 1, 1, 0}};
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 0; seed < 12000; ++seed) {
    Schedule s;
    s.tail.kind = TailKind::kUniform;
    s.tail.seed = seed;
    s.tail.weights = {1, 2, 1};
    s.tail.selected = ObjectId(0);
    std::string order;
    for (const Step& step : run(script, s).execution.steps)
      if (step.op.object == ObjectId(0)) order += static_cast<char>('0' + step.thread.value);
    ++seen[order];
  }
  EXPECT_EQ(seen.size(), 12u);
  for (const auto& [order, times] : seen) EXPECT_NEAR(times, 1000, 130) << order;
}

TEST(Conductor, WantedReadsAreMet) {
  // Two threads write to object 0 from places 1 and 2, a third one reads it at place 3.
  const std::vector<std::uint32_t> where{1, 2, 3};
  for (const std::uint32_t wanted : {1u, 2u, ReadsFrom::kNowhere}) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      Schedule s;
      s.tail.kind = TailKind::kReadsFrom;
      s.tail.seed = seed;
      s.tail.wanted = {{ObjectId(0), wanted, 3}};
      Execution execution;
      Conductor conductor;
      conductor.begin(s, execution);
      ThreadSet enabled = ThreadSet::below(3);
      for (std::size_t t = 0; t < 3; ++t) {
        Step step = write(t, 0);
        step.where = where[t];
        if (t == 2) step.op.kind = OpKind::kRead;
        conductor.announce(step.thread, step);
      }
      std::uint32_t last = ReadsFrom::kNowhere, found = 0;
      while (auto d = conductor.decide(enabled)) {
        const Step step = conductor.pending(d->thread);
        (step.where == 3 ? found : last) = step.where == 3 ? last : step.where;
        conductor.performed(step);
        conductor.retire(d->thread);
        enabled.erase(d->thread);
      }
      EXPECT_EQ(found, wanted);
    }
  }
}

TEST(Conductor, PctOfDepthOneNeverPreempts) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Schedule s;
    s.tail = {TailKind::kPct, seed, 1, 6};
    const std::string threads = run({{0, 0, 0}, {0, 0, 0}}, s).threads();
    EXPECT_TRUE(threads == "000111" || threads == "111000") << threads;
  }
}

TEST(Conductor, PctOfDepthTwoPreemptsAtMostOnce) {
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Schedule s;
    s.tail = {TailKind::kPct, seed, 2, 6};
    const std::string threads = run({{0, 0, 0}, {0, 0, 0}}, s).threads();
    int switches = 0;
    for (std::size_t i = 1; i < threads.size(); ++i) switches += threads[i] != threads[i - 1];
    EXPECT_LE(switches, 2) << threads;
    ++seen[threads];
  }
  EXPECT_EQ(seen.size(), 6u);  // two orders, and a pre-emption after one or two steps of either
}

}  // namespace
}  // namespace heddle::trace
