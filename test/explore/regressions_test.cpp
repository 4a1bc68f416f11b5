// Programs on which an algorithm once missed a class. All algorithms must find the same classes on them, within
// every bound.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "check/brute_force.h"
#include "explore/explorer.h"
#include "model/model_program.h"
#include "trace/fingerprint.h"

namespace heddle::explore {
namespace {

// Class -> fewest pre-emptions met.
std::map<std::uint64_t, int> classes_of(const std::string& path, const StrategyOptions& strategy) {
  auto program = model::load_model(path, {});
  EXPECT_TRUE(program.ok()) << program.error().message;
  std::map<std::uint64_t, int> found;
  Fingerprinter fingerprint;
  ExploreOptions options;
  options.strategy = strategy;
  options.all = true;
  options.on_execution = [&](const Execution& e) {
    if (e.outcome == Outcome::kAsleep) return;
    const int preemptions = check::count_preemptions(e);
    const auto [place, added] = found.try_emplace(fingerprint(e), preemptions);
    place->second = std::min(place->second, preemptions);
  };
  const auto result = explore(**program, options);
  EXPECT_TRUE(result.ok() && result.value().exhausted());
  return found;
}

std::set<std::uint64_t> within(const std::map<std::uint64_t, int>& classes, int bound) {
  std::set<std::uint64_t> keys;
  for (const auto& [key, preemptions] : classes)
    if (preemptions <= bound) keys.insert(key);
  return keys;
}

TEST(Regressions, AllAlgorithmsFindTheSameClasses) {
  int programs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_SOURCE_DIR "/test/explore/regressions")) {
    ++programs;
    StrategyOptions o;
    o.algorithm = Algorithm::kExhaustive;
    const auto truth = classes_of(entry.path(), o);
    for (int a = 0; a <= static_cast<int>(Algorithm::kOptimalDpor); ++a) {
      o.algorithm = static_cast<Algorithm>(a);
      o.sleep_sets = false;
      EXPECT_EQ(within(classes_of(entry.path(), o), 1000), within(truth, 1000)) << entry << name_of(o.algorithm);
      o.sleep_sets = true;
      EXPECT_EQ(within(classes_of(entry.path(), o), 1000), within(truth, 1000)) << entry << name_of(o.algorithm);
    }
    for (int k = 0; k < 4; ++k) {
      StrategyOptions bounded;
      bounded.preemptions = static_cast<std::uint32_t>(k);
      EXPECT_EQ(within(classes_of(entry.path(), bounded), k), within(truth, k)) << entry << " bound " << k;
    }
  }
  EXPECT_GE(programs, 6);
}

}  // namespace
}  // namespace heddle::explore
