// Random properties of random programs: every algorithm finds a state if and only if brute force does, and what it
// finds is shown by an execution. HEDDLE_SWEEP=N multiplies the number of properties.
#include <gtest/gtest.h>

#include <cstdlib>

#include "check/random_script.h"
#include "check/state_oracle.h"
#include "explore/explain.h"
#include "explore/explorer.h"
#include "property/watched_program.h"
#include "strategies/registry.h"
#include "unfold/unfolding_strategy.h"

namespace heddle::check {
namespace {

using explore::Algorithm;
using property::Look;
using property::Property;
using property::WatchedProgram;

constexpr std::uint64_t kShards = 8;
constexpr std::uint64_t kPropertiesPerShard = 400;
constexpr std::uint64_t kInterleavings = 1500;  // more, and brute force is left out

std::uint64_t per_shard() {
  const char* times = std::getenv("HEDDLE_SWEEP");
  return kPropertiesPerShard * (times ? std::max(1, std::atoi(times)) : 1);
}

struct Variant {
  Algorithm algorithm;
  bool sleep_sets = false;
  bool smt = false;
  bool values = false;  // --match=values
};
constexpr Variant kVariants[] = {
    {Algorithm::kExhaustive, true},
    {Algorithm::kDpor},
    {Algorithm::kDporCr},
    {Algorithm::kDporCr, true},
    {Algorithm::kClockVector},
    {Algorithm::kRaceFlip},
    {Algorithm::kSourceDpor},
    {Algorithm::kOptimalDpor},
    {Algorithm::kUnfolding},
    {Algorithm::kContextualUnfolding},
    {Algorithm::kUnfolding, false, true},
    {Algorithm::kContextualUnfolding, false, true},
    {Algorithm::kStateful},
    {Algorithm::kStatefulUnfolding},
    {Algorithm::kStatefulUnfolding, false, true},
    {Algorithm::kStateful, false, false, true},
    {Algorithm::kStatefulUnfolding, false, false, true},
};

// Empty: the algorithm agrees with the truth.
std::string disagreement(model::ModelProgram& model, const Property& property, bool truth, const Variant& variant) {
  explore::ExploreOptions options;
  options.strategy.algorithm = variant.algorithm;
  options.strategy.sleep_sets = variant.sleep_sets;
  options.all = true;
  if (model.inputs() != nullptr) options.strategy.feasibility = &model;
  options.probe = false;
  const auto prefer = [&](const symbolic::Assignment& found) { model.inputs()->prefer(found); };
  const bool unfolds = explore::covers_local_states(variant.algorithm);
  WatchedProgram watched(model, {property}, unfolds ? Look::kAlong : Look::kClass,
                         {model.inputs(), prefer, model.assumes()});
  unfold::GlobalQuestions global{{property}, model.inputs(), prefer, {}, {}};
  if (variant.smt)
    global.make_solver = [](symbolic::TermStore& terms) {
      return symbolic::make_solver_chain(terms, std::chrono::seconds(10));
    };
  options.strategy.match_values = variant.values;
  strategies::Setting setting;
  setting.global = std::move(global);
  strategies::install(options, std::move(setting));
  auto result = explore::explore(watched, options);
  if (!result) return result.error().message;
  // Nets do not say which executions a failed assumption leaves, and say so; they may still find the state.
  const bool open = result->has_gap(explore::Cause::kNotInNet);
  if (!result->exhausted() && !open) return "did not end: " + result->reason();
  if (!watched.left_open().empty()) return "did not end";
  const explore::Finding* found = nullptr;
  for (const auto& finding : result->findings)
    if (finding.failure.kind == trace::FailureKind::kReachable) found = &finding;
  if (open && truth && found == nullptr) return {};
  if ((found != nullptr) != truth) return truth ? "missed it" : "invented it";
  if (found == nullptr) return {};
  watched.set_look(Look::kReplay);
  explore::ExploreResult one;
  one.findings.push_back(*found);
  explore::explain_findings(watched, one, {.minimize = variant.algorithm == Algorithm::kOptimalDpor, .max_runs = 50});
  Property copy = property;
  return passes(one.findings.front().execution, copy) ? "" : "found it, but the execution does not pass it";
}

class PropertyOracle : public testing::TestWithParam<std::uint64_t> {};

TEST_P(PropertyOracle, every_algorithm_finds_what_brute_force_finds) {
  std::uint64_t reached = 0, not_reached = 0;
  for (std::uint64_t i = 0; i < per_shard(); ++i) {
    const std::uint64_t seed = GetParam() * 1'000'000 + i;
    const Script script = seed % 8 == 3   ? random_waiting_script(seed)
                          : seed % 8 == 7 ? random_assuming_script(seed)
                                          : random_script(seed);
    const std::string text = to_source(script);
    auto model = model::load_model_text(text, "random.hed", {});
    if (!model) continue;  // exits, semaphores and the like are not in the model language
    const auto names = (*model)->property_names();
    const property::Statement statement{property::Kind::kReachable, random_condition(*names, seed), {}, 0};
    auto property = property::make_property(statement, *names);
    ASSERT_TRUE(property.ok()) << property.error().message;
    const auto truth = reachable(**model, *property, kInterleavings);
    if (!truth) continue;
    ++(*truth ? reached : not_reached);
    for (const Variant& variant : kVariants) {
      const std::string wrong = disagreement(**model, *property, *truth, variant);
      ASSERT_EQ(wrong, "") << name_of(variant.algorithm) << (variant.sleep_sets ? " --sleep-sets" : "")
                           << (variant.smt ? " --global=smt" : "") << (variant.values ? " --match=values" : "")
                           << " seed " << seed << ": " << statement.text << "\n"
                           << text;
    }
  }
  EXPECT_GT(reached, per_shard() / 8);
  EXPECT_GT(not_reached, per_shard() / 8);
}

TEST_P(PropertyOracle, inputs_stay_symbolic) {
  std::uint64_t reached = 0, not_reached = 0;
  for (std::uint64_t i = 0; i < per_shard() / 5; ++i) {
    const std::uint64_t seed = GetParam() * 1'000'000 + i;
    const std::string text = to_source(random_input_script(seed));
    model::ModelOptions options;
    options.inputs = model::InputMode::kSymbolic;
    auto model = model::load_model_text(text, "random.hed", {}, options);
    ASSERT_TRUE(model.ok());
    const auto names = (*model)->property_names();
    const property::Statement statement{property::Kind::kReachable, random_condition(*names, seed), {}, 0};
    auto property = property::make_property(statement, *names);
    ASSERT_TRUE(property.ok());
    const auto truth = reachable_with_inputs(text, statement, {}, kInterleavings / 4);
    if (!truth) continue;
    ++(*truth ? reached : not_reached);
    for (const Variant& variant :
         {Variant{Algorithm::kOptimalDpor}, Variant{Algorithm::kExhaustive, true}, Variant{Algorithm::kUnfolding},
          Variant{Algorithm::kContextualUnfolding}, Variant{Algorithm::kUnfolding, false, true},
          Variant{Algorithm::kContextualUnfolding, false, true}, Variant{Algorithm::kStateful},
          Variant{Algorithm::kStatefulUnfolding}, Variant{Algorithm::kStatefulUnfolding, false, true},
          Variant{Algorithm::kStateful, false, false, true},
          Variant{Algorithm::kStatefulUnfolding, false, false, true}}) {
      const std::string wrong = disagreement(**model, *property, *truth, variant);
      ASSERT_EQ(wrong, "") << name_of(variant.algorithm) << (variant.smt ? " --global=smt" : "")
                           << (variant.values ? " --match=values" : "") << " seed " << seed << ": " << statement.text
                           << "\n"
                           << text;
    }
  }
  EXPECT_GT(reached, 3u);
  EXPECT_GT(not_reached, 3u);
}

INSTANTIATE_TEST_SUITE_P(Shards, PropertyOracle, testing::Range(std::uint64_t{0}, kShards));

}  // namespace
}  // namespace heddle::check
