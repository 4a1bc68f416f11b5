// Condition variables: register, release, park, wake, acquire again.
#include "model_run.h"

namespace heddle::model {
namespace {

constexpr const char* kOneWaiter = R"(
  lock m; cond c;
  thread waiter { lock(m); wait(c, m); unlock(m); }
  thread waker { signal(c); })";

TEST(Waiting, a_wait_is_four_operations) {
  ModelRun run(kOneWaiter);
  EXPECT_EQ(run.run({0, 0, 0, 1}).steps(), (Lines{"waiter lock m", "waiter wait c", "waiter wait-unlock m",
                                                  "waker signal c waiter", "waiter lock m", "waiter unlock m"}));
  EXPECT_EQ(run.outcome(), "complete");
  // Parked, the waiter has no operation: only the waker is enabled.
  EXPECT_EQ(run.execution.steps[3].enabled, ThreadSet::of(1));
  EXPECT_EQ(run.execution.steps[3].choice, 0);
  EXPECT_EQ(run.execution.steps[2].op.before, trace::kHeldExclusively);
}

TEST(Waiting, a_signal_before_the_wait_is_lost) {
  ModelRun run(kOneWaiter);
  run.run({1});
  EXPECT_EQ(run.steps()[0], "waker signal c nobody");
  EXPECT_EQ(run.outcome(), "deadlock");
  EXPECT_EQ(run.failures(), (Lines{"deadlock: waiter waits for a signal of c"}));
}

TEST(Waiting, a_waiter_that_has_not_released_yet_may_be_signalled) {
  ModelRun run(kOneWaiter);
  EXPECT_EQ(run.run({0, 0, 1, 0}).steps(), (Lines{"waiter lock m", "waiter wait c", "waker signal c waiter",
                                                  "waiter wait-unlock m", "waiter lock m", "waiter unlock m"}));
  EXPECT_EQ(run.outcome(), "complete");
}

TEST(Waiting, a_woken_waiter_needs_the_lock) {
  ModelRun run(R"(
    lock m; cond c;
    thread waiter { lock(m); wait(c, m); unlock(m); }
    thread waker { lock(m); signal(c); unlock(m); })");
  run.run({0, 0, 0, 1, 1});
  EXPECT_EQ(run.steps()[4], "waker signal c waiter");
  EXPECT_EQ(run.steps()[5], "waker unlock m");
  EXPECT_EQ(run.execution.steps[5].enabled, ThreadSet::of(1)) << "woken but blocked";
  EXPECT_EQ(run.execution.steps[6].enabled, ThreadSet::of(0));
  EXPECT_EQ(run.outcome(), "complete");
}

constexpr const char* kTwoWaiters = R"(
  lock m; cond c; shared int r;
  thread waiter[2] { lock(m); wait(c, m); r = index + 1; unlock(m); }
  thread waker[2] { signal(c); })";

TEST(Waiting, a_signal_chooses_among_the_waiters) {
  ModelRun run(kTwoWaiters);
  const auto at = [](int t, std::uint16_t choice = trace::kAnyChoice) {
    return trace::Decision{ThreadId(static_cast<std::uint16_t>(t)), choice};
  };
  const std::vector<trace::Decision> both = {at(0), at(0), at(0), at(1), at(1), at(1)};
  for (const std::uint16_t chosen : {0, 1}) {
    auto steps = both;
    steps.push_back(at(2, chosen));
    run.run(steps);
    ASSERT_GT(run.execution.steps.size(), 7u);
    EXPECT_EQ(run.execution.steps[6].set, ThreadSet::below(2));
    EXPECT_EQ(run.execution.steps[6].choice, chosen);
    EXPECT_EQ(run.outcome(), "complete");
  }
  auto twice = both;
  twice.push_back(at(2, 1));
  twice.push_back(at(3, 1));
  EXPECT_EQ(run.run(twice).outcome(), "diverged") << "a woken waiter is no longer a choice";
}

TEST(Waiting, announced_signals_see_who_waits_now) {
  ModelRun run(kTwoWaiters);
  // Both wakers stood in front of their signal before anybody waited.
  run.run({0, 0, 0, 2, 3});
  EXPECT_EQ(run.steps()[3], "waker[0] signal c waiter[0]");
  EXPECT_EQ(run.steps()[4], "waker[1] signal c nobody");
}

TEST(Waiting, a_broadcast_wakes_all) {
  ModelRun run(R"(
    lock m; cond c;
    thread waiter[3] { lock(m); wait(c, m); unlock(m); }
    thread waker { broadcast(c); })");
  run.run({0, 0, 0, 1, 1, 3});
  EXPECT_EQ(run.steps()[5], "waker broadcast c waiter[0] waiter[1]");
  EXPECT_EQ(run.failures(), (Lines{"deadlock: waiter[2] waits for a signal of c"}));
  run.run({3});
  EXPECT_EQ(run.steps()[0], "waker broadcast c");
}

TEST(Waiting, condition_variables_and_locks_in_arrays) {
  ModelRun run(R"(
    lock m[2]; cond c[2];
    thread waiter { int i = 1; lock(m[i]); wait(c[i], m[i]); unlock(m[i]); }
    thread waker { signal(c[0]); broadcast(c[1]); })");
  run.run({0, 0, 0, 1, 1});
  EXPECT_EQ(run.steps()[3], "waker signal c[0] nobody");
  EXPECT_EQ(run.steps()[4], "waker broadcast c[1] waiter");
  EXPECT_EQ(run.outcome(), "complete");
}

}  // namespace
}  // namespace heddle::model
