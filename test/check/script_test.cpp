// Scripts and models are twins: a script printed as a model has the same classes, deadlocks and failures.
#include <gtest/gtest.h>

#include "check/random_script.h"
#include "check/script_program.h"
#include "explore/explorer.h"
#include "model/model_program.h"

namespace heddle::check {
namespace {

using namespace explore;

ExploreResult run(trace::Program& program) {
  ExploreOptions options;
  options.all = true;
  options.max_executions = 5'000;
  auto result = explore::explore(program, options);
  EXPECT_TRUE(result.ok());
  return result.value();
}

bool ends(const std::vector<Stmt>& statements) {
  return std::any_of(statements.begin(), statements.end(),
                     [](const Stmt& s) { return s.kind == StmtKind::kExit || ends(s.body); });
}

TEST(ScriptAndModel, AgreeOnRandomPrograms) {
  for (std::uint64_t seed = 0; seed < 1200; ++seed) {
    Script script = seed % 2 == 0 ? random_script(seed / 2) : random_waiting_script(seed);
    if (std::any_of(script.threads.begin(), script.threads.end(), ends)) continue;  // no model can
    script.spurious = seed % 3 == 0;
    const std::string source = to_source(script);
    model::ModelOptions options;
    options.spurious = script.spurious ? 1 : 0;
    ScriptProgram twin(script);
    auto model = model::load_model_text(source, "random.hed", {}, options);
    ASSERT_TRUE(model.ok()) << model.error().message << source;
    const ExploreResult a = run(twin);
    const ExploreResult b = run(**model);
    EXPECT_EQ(a.classes, b.classes) << "seed " << seed << "\n" << source;
    // A thread that waits for ever in a loop is a deadlock to the one and a livelock to the other.
    EXPECT_EQ(a.deadlocked + a.failed, b.deadlocked + b.failed) << "seed " << seed << "\n" << source;
    EXPECT_EQ(a.infeasible, b.infeasible) << "seed " << seed << "\n" << source;
    if (seed % 2 == 0) {
      EXPECT_EQ(a.failed, b.failed) << "seed " << seed << "\n" << source;
    }
    EXPECT_EQ(a.steps, b.steps) << "seed " << seed << "\n" << source;
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace heddle::check
