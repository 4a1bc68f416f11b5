// Which visible operations a model performs, in which order and with which values.
#include "model_run.h"

namespace heddle::model {
namespace {

TEST(Operations, reads_go_left_to_right_and_then_the_write) {
  ModelRun run("shared int x = 1, y = 2, z = 3; thread main { x = z + y * x; }");
  EXPECT_EQ(run.run().steps(), (Lines{"main read z 3>3", "main read y 2>2", "main read x 1>1", "main write x 1>5"}));
}

TEST(Operations, short_circuit_skips_reads) {
  ModelRun run(R"(
    shared int x, y = 1;
    thread main {
      int a = x && y;
      int b = y || x;
      if (!(x || y)) a = 2;
      int c = y ? 5 : x;
      while (x != 0 && y) { }
    })");
  EXPECT_EQ(run.run().steps(), (Lines{"main read x 0>0", "main read y 1>1", "main read x 0>0", "main read y 1>1",
                                      "main read y 1>1", "main read x 0>0"}));
}

TEST(Operations, compound_assignment_of_a_shared_variable_is_a_read_and_a_write) {
  ModelRun run("shared int x = 5, y = 2, a[3] = 7; thread main { x += y; a[x - 6]++; }");
  EXPECT_EQ(run.run().steps(), (Lines{"main read x 5>5", "main read y 2>2", "main write x 5>7", "main read x 7>7",
                                      "main read a[1] 7>7", "main write a[1] 7>8"}));
}

TEST(Operations, an_element_is_named_before_the_right_side_is_read) {
  ModelRun run("shared int i = 1, x = 9, a[2]; thread main { a[i] = x; }");
  EXPECT_EQ(run.run().steps(), (Lines{"main read i 1>1", "main read x 9>9", "main write a[1] 0>9"}));
}

TEST(Operations, arguments_are_read_before_the_call) {
  ModelRun run("shared int x = 1, y = 2; func f(a, b) { x = b; return a; } thread main { y = f(x, y) + x; }");
  EXPECT_EQ(run.run().steps(),
            (Lines{"main read x 1>1", "main read y 2>2", "main write x 1>2", "main read x 2>2", "main write y 2>3"}));
}

TEST(Operations, two_threads_lose_an_update) {
  ModelRun run("shared int x; thread t[2] { x = x + 1; }");
  EXPECT_EQ(run.run({0, 1, 0, 1}).steps(),
            (Lines{"t[0] read x 0>0", "t[1] read x 0>0", "t[0] write x 0>1", "t[1] write x 1>1"}));
  EXPECT_EQ(run.run({0, 0, 1, 1}).value("x"), 2);
  EXPECT_EQ(run.execution.threads, 2u);
}

TEST(Operations, compare_and_swap_and_atomic_add) {
  ModelRun run(R"(
    shared int x = 1, r, a[2];
    thread main {
      int ok = cas(x, 1, -2);
      int no = cas(x, 1, 5);
      int old = atomic_add(x, 10);
      atomic_add(a[1], 3);
      cas(a[0], 0, 8);
      r = ok * 100 + no * 10 + old;
    })");
  EXPECT_EQ(run.run().steps(), (Lines{"main cas x 1>-2", "main cas-failed x -2>1", "main update x -2>8",
                                      "main update a[1] 0>3", "main cas a[0] 0>8", "main write r 0>98"}));
}

TEST(Operations, accesses_with_memory_orders) {
  ModelRun run(R"(
    shared int x = 1, a[2];
    thread main {
      int acquire = 3;                    // the words are names elsewhere
      a[1].store(x.load(acquire) + acquire, release);
      fence(seq_cst);
      int old = x.exchange(5, acq_rel) + a[1].fetch_add(2, relaxed);
      int ok = x.compare_exchange(5, 6), no = x.compare_exchange(5, 7, acq_rel);
      no = x.compare_exchange(5, 7, seq_cst, relaxed);
      x.store(old * 100 + ok * 10 + no, plain);
    })");
  EXPECT_EQ(run.run().steps(),
            (Lines{"main read x 1>1", "main write a[1] 0>4", "main fence", "main update x 1>5", "main update a[1] 4>6",
                   "main cas x 5>6", "main cas-failed x 6>5", "main cas-failed x 6>5", "main write x 6>510"}));
  using trace::MemoryOrder;
  std::vector<MemoryOrder> orders;
  for (const trace::Step& step : run.execution.steps) orders.push_back(step.op.order);
  EXPECT_EQ(orders, (std::vector{MemoryOrder::kAcquire, MemoryOrder::kRelease, MemoryOrder::kSeqCst,
                                 MemoryOrder::kAcqRel, MemoryOrder::kRelaxed, MemoryOrder::kSeqCst,
                                 MemoryOrder::kAcquire, MemoryOrder::kRelaxed, MemoryOrder::kPlain}));
}

// Thread 1 reads the store before the newest one; thread 2's store has its place before thread 0's.
TEST(Operations, with_weak_memory_choices_say_which_store) {
  ModelOptions options;
  options.weak_memory = true;
  ModelRun run("shared int x; thread main { x = 1; } thread reader { int a = x; a = x; } thread other { x = 2; }", {},
               options);
  const auto thread = [](int t, int choice) {
    return trace::Decision{ThreadId(static_cast<std::uint16_t>(t)), static_cast<std::uint16_t>(choice)};
  };
  run.run(std::vector{thread(0, 0), thread(2, 1), thread(1, 1), thread(1, 0)});
  EXPECT_EQ(run.steps(), (Lines{"main write x 0>1", "other write x 0>2", "reader read x 2>2", "reader read x 1>1"}));
  EXPECT_EQ(run.value("x"), 1);
}

TEST(Operations, negative_values_are_sign_extended) {
  ModelRun run("shared int x = -1; thread main { x = -2; }");
  run.run();
  EXPECT_EQ(run.execution.steps[0].op.before, static_cast<std::uint64_t>(-1ll));
  EXPECT_EQ(run.execution.steps[0].op.after, static_cast<std::uint64_t>(-2ll));
}

TEST(Operations, locks_block_and_try_lock_does_not) {
  ModelRun run(R"(
    lock m; shared int r;
    thread a { lock(m); unlock(m); }
    thread b { if (try_lock(m)) { unlock(m); } else { r = 1; } lock(m); unlock(m); })");
  run.run({0, 1, 1, 0});
  EXPECT_EQ(run.steps(),
            (Lines{"a lock m", "b try-lock-failed m", "b write r 0>1", "a unlock m", "b lock m", "b unlock m"}));
  const auto& steps = run.execution.steps;
  EXPECT_EQ(steps[0].op.before, trace::kLockFree);
  EXPECT_EQ(steps[1].op.before, trace::kHeldExclusively);
  EXPECT_EQ(steps[3].op.before, trace::kHeldExclusively);
  // While a holds m and b wants it, only a is enabled.
  EXPECT_EQ(steps[3].enabled, ThreadSet::of(0));
  EXPECT_EQ(steps[4].enabled, ThreadSet::of(1));
  run.run({1, 1});
  EXPECT_EQ(run.steps()[0], "b try-lock m");
  EXPECT_EQ(run.value("r"), 0);
}

TEST(Operations, a_blocked_thread_cannot_be_scheduled) {
  ModelRun run("lock m; thread t[2] { lock(m); unlock(m); }");
  run.run({0, 1});
  EXPECT_EQ(run.outcome(), "diverged");
  EXPECT_EQ(run.execution.diverged_at, 1u);
  ASSERT_EQ(run.execution.pending.size(), 2u);
  EXPECT_TRUE(run.execution.pending[0].enabled);
  EXPECT_FALSE(run.execution.pending[1].enabled);
}

TEST(Operations, choose_takes_the_scheduled_value) {
  ModelRun run("shared int r; thread main { r = choose(3) * 10 + choose(2); }");
  run.run({{ThreadId(0), 2}, {ThreadId(0), 1}});
  EXPECT_EQ(run.value("r"), 21);
  EXPECT_EQ(run.execution.steps[0].set, ChoiceSet::below(3));
  EXPECT_EQ(run.execution.steps[0].op.object, kNoObject);
  run.run({{ThreadId(0), 3}});
  EXPECT_EQ(run.outcome(), "diverged");
}

TEST(Operations, objects_are_numbered_in_order_of_declaration) {
  ModelRun run("shared int x, none[0], a[2]; lock m; cond c[2]; shared int z; thread main { }");
  std::vector<std::string> names;
  for (std::uint32_t o = 0; o < 8; ++o) names.push_back(run.program->object_name(ObjectId(o)));
  EXPECT_EQ(names, (Lines{"x", "a[0]", "a[1]", "m", "c[0]", "c[1]", "z", ""}));
}

TEST(Operations, steps_know_their_place) {
  ModelRun run("shared int x;\nthread main {\n  x = 1;\n    x++;   \n}\n");
  run.run();
  ASSERT_EQ(run.execution.steps.size(), 3u);
  EXPECT_EQ(run.program->position(run.execution.steps[0].where), "test.hed:3:3");
  EXPECT_EQ(run.program->source_line(run.execution.steps[1].where), "x++;");
  EXPECT_EQ(run.program->position(0), "");
  EXPECT_EQ(run.program->source_line(0), "");
}

}  // namespace
}  // namespace heddle::model
