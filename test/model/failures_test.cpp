// Failing threads stop, the others go on; how an execution is said to have ended.
#include "model_run.h"

namespace heddle::model {
namespace {

TEST(Failures, a_failing_thread_stops_and_the_others_go_on) {
  ModelRun run(R"(
    shared int x, y;
    thread a { x = 1; assert(x == 2, "x is two"); x = 3; }
    thread b { y = 1; y = 2; })");
  run.run();
  EXPECT_EQ(run.outcome(), "failed");
  EXPECT_EQ(run.failures(), (Lines{"assertion a: x is two"}));
  EXPECT_EQ(run.execution.failures[0].step, 2u);
  EXPECT_EQ(run.program->position(run.execution.failures[0].where), "test.hed:3:23");
  EXPECT_EQ(run.steps(), (Lines{"a write x 0>1", "a read x 1>1", "b write y 0>1", "b write y 1>2"}));
  EXPECT_TRUE(run.execution.pending.empty());
}

TEST(Failures, before_the_first_operation) {
  ModelRun run("shared int x; thread a { error(\"at once\"); } thread b { x = 1; }");
  run.run();
  EXPECT_EQ(run.failures(), (Lines{"error a: at once"}));
  EXPECT_EQ(run.steps(), (Lines{"b write x 0>1"}));
  EXPECT_EQ(run.execution.threads, 2u);
}

TEST(Failures, several_threads_may_fail) {
  ModelRun run("shared int x; thread t[2] { x = 1; assert(index < 0); }");
  run.run();
  EXPECT_EQ(run.failures(), (Lines{"assertion t[0]: assert(index < 0)", "assertion t[1]: assert(index < 0)"}));
}

TEST(Failures, division_by_zero) {
  ModelRun run("shared int x; thread a { x = 1 / x; } thread b { x = 4 % (x - x); }");
  run.run();
  EXPECT_EQ(run.failures(), (Lines{"division-by-zero a: division by zero", "division-by-zero b: division by zero"}));
}

TEST(Failures, index_out_of_range) {
  ModelRun run(R"(
    shared int a[3]; lock m[2];
    func f(i) { return a[i]; }
    thread t1 { f(3); } thread t2 { a[-1] = 0; } thread t3 { lock(m[2]); } thread t4 { f(2); })");
  run.run();
  EXPECT_EQ(run.failures(), (Lines{"index-out-of-range t1: a[3]: the array has 3 elements",
                                   "index-out-of-range t2: a[-1]: the array has 3 elements",
                                   "index-out-of-range t3: m[2]: the array has 2 elements"}));
}

TEST(Failures, unlock_of_a_lock_not_held) {
  ModelRun run("lock m; cond c; thread a { unlock(m); } thread b { lock(m); unlock(m); } thread d { wait(c, m); }");
  run.run();
  EXPECT_EQ(run.failures(), (Lines{"unlock-not-held a: a unlocks m, which it does not hold",
                                   "unlock-not-held d: d waits with m, which it does not hold"}));
  EXPECT_EQ(run.steps(), (Lines{"b lock m", "b unlock m"}));
}

TEST(Failures, choose_needs_a_sensible_count) {
  ModelRun run("thread a { choose(0); } thread b { choose(129); } thread c { choose(128); }");
  run.run();
  EXPECT_EQ(run.failures().size(), 2u);
  EXPECT_EQ(run.execution.steps.size(), 1u);
}

TEST(Failures, endless_recursion_is_a_crash_of_the_model) {
  ModelRun run("func f(n) { return f(n + 1) + 1; } thread main { f(0); }");
  run.run();
  ASSERT_EQ(run.failures().size(), 1u);
  EXPECT_EQ(run.execution.failures[0].kind, trace::FailureKind::kCrash);
}

TEST(Failures, deadlock_says_who_waits_for_what) {
  ModelRun run(R"(
    lock fork[2];
    thread worker[2] { lock(fork[index]); lock(fork[1 - index]); unlock(fork[1 - index]); unlock(fork[index]); })");
  run.run({0, 1});
  EXPECT_EQ(run.outcome(), "deadlock");
  EXPECT_EQ(run.failures(), (Lines{"deadlock: worker[0] waits for fork[1], held by worker[1]; "
                                   "worker[1] waits for fork[0], held by worker[0]"}));
  EXPECT_EQ(run.execution.pending.size(), 2u);
  run.run({0, 0});
  EXPECT_EQ(run.outcome(), "complete");
  EXPECT_TRUE(run.failures().empty());
}

TEST(Failures, deadlocks_of_other_kinds) {
  EXPECT_EQ(ModelRun("lock m; thread a { lock(m); lock(m); }").run().failures(),
            (Lines{"deadlock: a waits for m, which it holds itself"}));
  EXPECT_EQ(ModelRun("lock m; thread a { lock(m); } thread b { lock(m); }").run().failures(),
            (Lines{"deadlock: b waits for m, held by a, which has ended"}));
  EXPECT_EQ(ModelRun("lock m; cond c; thread a { lock(m); wait(c, m); } thread b { join a; }").run().failures(),
            (Lines{"deadlock: a waits for a signal of c; b waits for a to end"}));
}

TEST(Failures, a_thread_blocked_by_a_failed_one_is_no_deadlock) {
  ModelRun run("lock m; thread a { lock(m); error(\"holds m\"); } thread b { lock(m); } thread c { join a; }");
  run.run();
  EXPECT_EQ(run.outcome(), "failed");
  EXPECT_EQ(run.failures(), (Lines{"error a: holds m"}));
  EXPECT_EQ(run.execution.pending.size(), 2u);
}

TEST(Failures, assume_makes_the_execution_infeasible) {
  ModelRun run("shared int x; thread a { assume(x == 1); x = 2; } thread b { x = 1; }");
  run.run({0});
  EXPECT_EQ(run.outcome(), "infeasible");
  EXPECT_EQ(run.steps(), (Lines{"a read x 0>0", "b write x 0>1"}));
  EXPECT_EQ(run.run({1, 0}).outcome(), "complete");
}

TEST(Failures, too_many_steps_cut_the_execution) {
  ModelRun run("shared int x, y; thread a { while (x == 0) { y = y + 1; } } thread b { x = 1; }", {}, {50, 0});
  run.run();
  EXPECT_EQ(run.outcome(), "cut");
  EXPECT_EQ(run.execution.steps.size(), 51u);
  EXPECT_TRUE(run.failures().empty());
  EXPECT_EQ(run.run({1}).outcome(), "complete");
}

// A loop that waits (trace/turn.h): one look, and the thread is stopped; the execution is void if it could go on.
TEST(WaitingLoops, a_look_in_vain_is_void_if_the_change_comes_later) {
  ModelRun run("shared int x, y; thread a { while (x == 0) { } } thread b { y = 1; x = 1; }");
  EXPECT_EQ(run.run().outcome(), "infeasible");
  EXPECT_EQ(run.steps(), (Lines{"a read x 0>0", "b write y 0>1", "b write x 0>1"}));
  EXPECT_EQ(run.run({1, 1}).outcome(), "complete");
}

TEST(WaitingLoops, a_change_that_nobody_makes_is_a_livelock) {
  EXPECT_EQ(ModelRun("shared int x, y; thread a { while (x == 0) { } } thread b { y = 1; }").run().failures(),
            (Lines{"livelock a: a thread waits in a loop for a change that nobody makes"}));
  EXPECT_EQ(ModelRun("shared int x; thread a { while (1) { } } thread b { x = 1; }").run().failures(),
            (Lines{"livelock a: a thread waits in a loop for a change that nobody makes"}));
  // Writing what is there changes nothing, as long as it is there.
  EXPECT_EQ(ModelRun("shared int x; thread a { while (1) { x = 0; } }").run().failures().size(), 1u);
  EXPECT_EQ(ModelRun("shared int x; thread a { while (1) { x = 0; } } thread b { x = 1; }").run().outcome(),
            "infeasible");
}

// The first could go on, and would make the change that the second waits for.
TEST(WaitingLoops, one_that_could_go_on_speaks_for_the_others) {
  ModelRun run("shared int x, y; thread a { while (x == 0) { } y = 1; } thread b { x = 1; while (y == 0) { } }");
  EXPECT_EQ(run.run().outcome(), "infeasible");
  EXPECT_TRUE(run.failures().empty());
  EXPECT_EQ(run.run({1, 0, 0, 1}).outcome(), "complete");
}

// Samples: the thread is blocked and goes on after a change, and what was sampled can be run again. The change may come
// while the turn is under way, or while somebody has the lock that the next one takes.
TEST(WaitingLoops, go_on_in_samples) {
  const std::string programs[] = {
      "shared int x, y; thread a { while (x == 0) { } y = 1; } thread b { x = 1; while (y == 0) { } }",
      "shared int x, y; thread a { while (x == 0 || y == 0) { } } thread b { x = 1; y = 1; }",
      "shared int x, y; thread a { while (x + y != 2) { } } thread b { x = 1; y = 1; }",
      "shared int x; lock m; thread a { while (1) { lock(m); int q = x; unlock(m); if (q == 1) { break; } } }"
      " thread b { lock(m); x = 1; unlock(m); } thread c { lock(m); unlock(m); }",
  };
  for (const std::string& program : programs)
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      auto model = load_model_text(program, "handshake.hed", {});
      trace::Schedule schedule;
      schedule.tail.kind = trace::TailKind::kRandom;
      schedule.tail.seed = seed;
      trace::Execution sampled, again;
      (*model)->run(schedule, sampled);
      EXPECT_EQ(sampled.outcome, trace::Outcome::kComplete) << program;
      schedule = {};
      for (const trace::Step& step : sampled.steps) schedule.steps.push_back({step.thread, step.choice});
      (*model)->run(schedule, again);
      EXPECT_EQ(again.outcome, trace::Outcome::kComplete);
      EXPECT_EQ(again.steps.size(), sampled.steps.size());
    }
}

// A turn that has found different things in one object is none in vain.
TEST(WaitingLoops, one_turn_is_one_look) {
  ModelRun run("shared int x; thread a { while (x != 2 && x != 2) { } } thread b { x = 1; x = 2; }");
  EXPECT_EQ(run.run({0, 1, 0, 1}).outcome(), "complete");
  EXPECT_EQ(run.run({1, 0, 0, 1}).outcome(), "infeasible");
}

// What a turn changes and changes back is as it was, unless somebody saw it meanwhile and did not look again.
TEST(WaitingLoops, changes_that_are_undone) {
  const std::string polls =
      "shared int l, x, y; thread a { while (1) { while (!cas(l, 0, 1)) { } int q = x; l = 0;"
      " if (q == 1) { break; } } } ";
  const Lines livelock{"livelock a: a thread waits in a loop for a change that nobody makes"};
  EXPECT_EQ(ModelRun(polls + "thread b { y = 1; }").run().failures(), livelock);
  EXPECT_EQ(ModelRun(polls + "thread b { if (l == 1) { x = 1; } }").run({0, 1, 0, 0, 1}).outcome(), "complete");
  EXPECT_EQ(ModelRun(polls + "thread b { while (!cas(l, 0, 1)) { } x = 1; l = 0; }").run({0, 1}).outcome(),
            "infeasible");
  // Whether the two ever meet is not known.
  EXPECT_EQ(ModelRun(polls + "thread b { while (l == 0) { } x = 1; }").run().outcome(), "cut");
}

// Lock, look, unlock leaves everything as it was; with the lock held at the end of a turn others could not go on.
TEST(WaitingLoops, may_take_and_give_back_what_they_look_at) {
  const std::string change = "thread b { lock(m); x = 1; unlock(m); }";
  EXPECT_EQ(ModelRun("shared int x; lock m; thread a { int go = 1; while (go == 1) { lock(m); if (x == 1) { go = 0; } "
                     "unlock(m); } }" +
                     change)
                .run()
                .steps(),
            (Lines{"a lock m", "a read x 0>0", "a unlock m", "b lock m", "b write x 0>1", "b unlock m"}));
  EXPECT_EQ(
      ModelRun("shared int x; lock m; thread a { lock(m); while (x == 0) { unlock(m); lock(m); } unlock(m); }" + change,
               {}, {20, 0})
          .run()
          .outcome(),
      "cut");
}

// Two turns that only look and count, and then the end of the loop; but all turns where there are a few.
TEST(WaitingLoops, that_count_hurry_on_to_their_end) {
  const auto steps = [](const char* turns) {
    return ModelRun("shared int x; thread a { int i = 0; while (i < " + std::string(turns) +
                    " && x == 0) { i = i + 1; } assert(x == 0 && i == " + turns + "); }")
        .run()
        .steps()
        .size();
  };
  EXPECT_EQ(steps("4"), 5u);
  EXPECT_EQ(steps("10000"), 3u);
  EXPECT_EQ(ModelRun("shared int x; thread a { int i = 0; while (x == 0) { i = i + 1; } } thread b { x = 1; }")
                .run()
                .outcome(),
            "infeasible");
}

// An execution that nobody asked for does not count, whatever else happened in it.
TEST(Failures, an_infeasible_execution_outranks_a_cut_and_a_cut_a_failure) {
  const std::string endless = "shared int x; thread a { while (1) { x = x + 1; } }";
  ModelOptions few;
  few.max_steps = 9;
  EXPECT_EQ(ModelRun(endless + "thread b { error(\"e\"); } thread c { assume(0); }", {}, few).run().outcome(),
            "infeasible");
  // The failure is still a finding; the outcome says that the search was not complete.
  EXPECT_EQ(ModelRun(endless + "thread b { error(\"e\"); }", {}, few).run().outcome(), "cut");
  EXPECT_EQ(ModelRun(endless + "thread c { assume(0); }", {}, few).run().outcome(), "infeasible");
  EXPECT_EQ(ModelRun(endless, {}, few).run().outcome(), "cut");
  // Nor is a livelock told from an execution that was cut: who knows what would have come.
  EXPECT_EQ(
      ModelRun("shared int x, y; thread a { while (x == 0) { } } thread b { while (y < 99) { y = y + 1; } x = 1; }", {},
               few)
          .run()
          .outcome(),
      "cut");
}

}  // namespace
}  // namespace heddle::model
