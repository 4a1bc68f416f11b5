// Static, replicated and spawned threads; identity across executions.
#include "model_run.h"

namespace heddle::model {
namespace {

TEST(Threads, replicas_know_their_index_and_come_in_order_of_declaration) {
  ModelRun run(
      "const n = 2; shared int a[3]; thread first { } thread w[n + 1] { a[index] = index * 10; } thread "
      "none[0] { }");
  run.run();
  EXPECT_EQ(run.program->static_threads(), 4u);
  EXPECT_EQ(run.steps(), (Lines{"w[0] write a[0] 0>0", "w[1] write a[1] 0>10", "w[2] write a[2] 0>20"}));
}

constexpr const char* kSpawning = R"(
  shared int sum;
  func child(a, b) { sum = sum + a * b; }
  thread main { int t = spawn child(2, 3); int u = spawn child(4, 5); join t; join(u); assert(sum == 26); })";

TEST(Threads, spawn_starts_a_function_and_join_waits_for_its_end) {
  ModelRun run(kSpawning);
  run.run();
  EXPECT_EQ(run.steps(), (Lines{"main spawn main/child#1", "main spawn main/child#2", "main/child#1 read sum 0>0",
                                "main/child#1 write sum 0>6", "main join main/child#1", "main/child#2 read sum 6>6",
                                "main/child#2 write sum 6>26", "main join main/child#2", "main read sum 26>26"}));
  EXPECT_EQ(run.outcome(), "complete");
  EXPECT_EQ(run.execution.threads, 3u);
}

TEST(Threads, a_child_that_ends_at_once_can_be_joined) {
  ModelRun run("func f() { } thread main { int t = spawn f(); join t; join t; }");
  EXPECT_EQ(run.run().steps(), (Lines{"main spawn main/f#1", "main join main/f#1", "main join main/f#1"}));
}

TEST(Threads, spawned_ids_do_not_depend_on_the_schedule) {
  const std::string text = R"(
    shared int x;
    func leaf() { x = 1; }
    func inner() { spawn leaf(); }
    thread a { x = 2; spawn leaf(); }
    thread b { x = 3; spawn inner(); })";
  const auto names = [](const ModelRun& run) {
    Lines all;
    for (std::uint16_t t = 0; t < run.execution.threads; ++t) all.push_back(run.program->thread_name(ThreadId(t)));
    return all;
  };
  ModelRun one(text), other(text);
  one.run({0, 0});
  other.run({1, 1});
  EXPECT_EQ(names(one), names(other)) << "also in another process, with another history";
  EXPECT_EQ(one.execution.threads, 5u);
  Lines expected = names(one);
  EXPECT_EQ(names(one.run({1, 0, 1, 0})), expected);
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(expected, (Lines{"a", "a/leaf#1", "b", "b/inner#1", "b/inner#1/leaf#1"}));
}

TEST(Threads, static_threads_can_be_joined_by_name) {
  ModelRun run(
      "shared int x; thread w[2] { x += 1; } thread main { join w; assert(x == 2); } thread last { join "
      "w[1]; join main; }");
  run.run({0, 0, 1, 1});
  EXPECT_EQ(run.outcome(), "complete");
  EXPECT_EQ(run.steps()[4], "main join w[0]");
  EXPECT_EQ(run.steps()[5], "main join w[1]");
  EXPECT_EQ(run.run({0, 1, 0, 1}).outcome(), "failed");
}

TEST(Threads, join_of_a_number_that_is_no_thread) {
  EXPECT_EQ(ModelRun("thread main { join 1000; }").run().failures(),
            (Lines{"error main: join(1000): no thread has this number"}));
  EXPECT_EQ(ModelRun("thread main { join -1; }").run().outcome(), "failed");
  EXPECT_EQ(ModelRun("thread main { join 77; }").run().failures(),
            (Lines{"deadlock: main waits for thread 77 to end"}));
}

TEST(Threads, too_many_threads_are_a_failure_of_the_one_that_spawns) {
  ModelRun run("func f() { } thread main { for (int i = 0; i < 1000; i++) spawn f(); } thread other { }");
  run.run();
  EXPECT_EQ(run.failures(), (Lines{"error main: more than 128 threads"}));
  EXPECT_EQ(run.execution.steps.size(), 126u);
  EXPECT_EQ(ModelRun("thread t[128] { }").run().outcome(), "complete");
}

TEST(Threads, executions_do_not_leave_traces_in_each_other) {
  ModelRun run(R"(
    lock m; cond c; shared int x, a[4] = 5;
    func child(i) { lock(m); a[i] = i; wait(c, m); unlock(m); }
    thread main { int t = spawn child(2); if (try_lock(m)) { signal(c); unlock(m); } x = choose(2); join t; }
    thread noise { x++; broadcast(c); })");
  const Lines first = run.run({0, 0, 2}).steps();
  const std::string outcome = run.outcome();
  for (const auto& order : {std::vector<int>{1, 1, 0}, {0, 2, 2, 2, 0}, {0, 2, 2, 1, 2}}) {
    std::vector<trace::Decision> steps;
    for (const int t : order) steps.push_back({ThreadId(static_cast<std::uint16_t>(t)), trace::kAnyChoice});
    run.run(steps);
    run.run({0, 0, 2});
    EXPECT_EQ(run.steps(), first);
    EXPECT_EQ(run.outcome(), outcome);
  }
}

}  // namespace
}  // namespace heddle::model
