// Brute force on random programs: the same net, the same markings, the same failures and deadlocks, with a place for
// each origin and for each value. HEDDLE_SWEEP=N multiplies the number of programs, HEDDLE_FIRST_SEED=N takes others.
#include "check/net_oracle.h"

#include <gtest/gtest.h>

#include "base/assert.h"
#include "check/random_script.h"
#include "check/script_program.h"
#include "model/model_program.h"
#include "stateful/search.h"

namespace heddle::stateful {
namespace {

std::uint64_t number_in(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}
std::uint64_t seeds(std::uint64_t few) { return few * number_in("HEDDLE_SWEEP", 1); }
std::uint64_t first_seed() { return number_in("HEDDLE_FIRST_SEED", 0); }

StatefulOptions by_value(bool values) {
  StatefulOptions options;
  options.net.values = values;
  return options;
}

// Invariants that cost more than what they guard.
class SlowChecks {
 public:
  SlowChecks() { slow_checks = true; }
  ~SlowChecks() { slow_checks = false; }
};

void agrees(check::Script (*make)(std::uint64_t), std::uint64_t count, std::uint64_t at_least,
            StatefulOptions options = {}) {
  const SlowChecks slow;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = first_seed(); seed < first_seed() + seeds(count); ++seed) {
    const check::Script script = make(seed);
    check::ScriptProgram program(script);
    const auto disagreement = check::stateful_disagreement(program, options, 5'000);
    if (!disagreement) continue;
    if (disagreement->find("does more than to read") != std::string::npos) continue;  // it says so, and claims nothing
    ++compared;
    ASSERT_EQ(*disagreement, "") << "seed " << seed << "\n" << check::to_source(script);
  }
  EXPECT_GT(compared, seeds(at_least));
  testing::Test::RecordProperty("compared", static_cast<int>(compared));
}

TEST(Stateful, AgreesOnRandomScripts) { agrees(check::random_script, 300, 180); }
TEST(Stateful, AgreesOnRandomSynchronisation) { agrees(check::random_synchronised_script, 300, 180); }

TEST(Stateful, FindsTheSameInWaitingLoops) { agrees(check::random_waiting_script, 600, 180); }

TEST(Stateful, AgreesWithValuesAsPlaces) { agrees(check::random_script, 300, 180, by_value(true)); }
TEST(Stateful, AgreesOnSynchronisationWithValuesAsPlaces) {
  agrees(check::random_synchronised_script, 200, 120, by_value(true));
}

// How an execution goes on is planned with guesses. Where a thread is led on as if it had taken the other branch,
// whatever its inputs decide elsewhere must still go by the branch that it takes; and an assumption has one outcome.
TEST(Stateful, PlansFollowTheBranchesThatAreTaken) {
  for (const char* source : {R"(shared int x = 0;
thread t0 { int r = input() & 3; x = r + 1; x = r + 1; if (r == 1) r = x; }
thread t1 { int r = input() & 3; x = r + 1; }
thread t2 { int r = x; if (r == 3) if (r == 2) r = atomic_add(x, 1); }
)",
                             R"(shared int x = 0;
thread t0 { int r = input() & 3; x = r; r = atomic_add(x, 1); assume(r != 0); }
thread t1 { int r = x; r = x; if (r < 1) x = r + 1; }
)"}) {
    for (const Kind kind : {Kind::kMarkings, Kind::kUnfolding}) {
      model::ModelOptions symbolic;
      symbolic.inputs = model::InputMode::kSymbolic;
      auto model = model::load_model_text(source, "plans.hed", {}, symbolic);
      ASSERT_TRUE(model.ok());
      StatefulOptions options;
      options.feasibility = model->get();
      const auto strategy = Search(kind, options).share();
      trace::Schedule schedule;
      trace::Execution execution;
      while (strategy->next(schedule)) {
        (*model)->run(schedule, execution);
        ASSERT_NE(execution.outcome, trace::Outcome::kDiverged) << source;
        strategy->learn(execution);
      }
    }
  }
}

void agrees_on_inputs(StatefulOptions options) {
  const SlowChecks slow;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = first_seed(); seed < first_seed() + seeds(100); ++seed) {
    for (const check::Script& script : {check::random_input_script(seed), check::random_spawning_input_script(seed)}) {
      const std::string source = check::to_source(script);
      model::ModelOptions symbolic;
      symbolic.inputs = model::InputMode::kSymbolic;
      auto model = model::load_model_text(source, "script.hed", {}, symbolic);
      ASSERT_TRUE(model.ok()) << source;
      options.feasibility = model->get();
      const auto disagreement = check::stateful_disagreement(**model, options, 3'000);
      if (!disagreement) continue;
      ++compared;
      ASSERT_EQ(*disagreement, "") << "seed " << seed << "\n" << source;
    }
  }
  EXPECT_GT(compared, seeds(120));
  testing::Test::RecordProperty("compared", static_cast<int>(compared));
}

TEST(Stateful, AgreesOnRandomInputs) { agrees_on_inputs(by_value(false)); }
TEST(Stateful, AgreesOnRandomInputsWithValuesAsPlaces) { agrees_on_inputs(by_value(true)); }

}  // namespace
}  // namespace heddle::stateful
