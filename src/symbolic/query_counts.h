// What became of the questions about paths, as numbers that can be sent and shown.
#pragma once

#include <array>
#include <cstdint>

namespace heddle::symbolic {

struct QueryCounts {
  std::uint64_t asked = 0;
  std::uint64_t by_hint = 0;           // the inputs at hand
  std::uint64_t by_contradiction = 0;  // a condition and its negation
  std::uint64_t by_cache = 0;          // same set, subset or superset
  std::uint64_t by_reuse = 0;          // recent inputs
  std::uint64_t by_linear = 0;         // linear and single-variable contradictions
  std::uint64_t by_inversion = 0;
  std::uint64_t by_cadical = 0;
  std::uint64_t by_z3 = 0;
  std::uint64_t unknown = 0;
  std::uint64_t wrong_models = 0;  // that a solver gave and evaluation refuted
  std::uint64_t restarts = 0;      // executions begun again with other inputs
  // Of the calls to a solver, in microseconds of processor time.
  double median_call = 0;
  double late_call = 0;  // 95 of 100 are faster

  std::uint64_t without_solver() const {
    return by_hint + by_contradiction + by_cache + by_reuse + by_linear + by_inversion;
  }

  static constexpr std::array kNumbers = {
      &QueryCounts::asked,    &QueryCounts::by_hint,   &QueryCounts::by_contradiction, &QueryCounts::by_cache,
      &QueryCounts::by_reuse, &QueryCounts::by_linear, &QueryCounts::by_inversion,     &QueryCounts::by_cadical,
      &QueryCounts::by_z3,    &QueryCounts::unknown,   &QueryCounts::wrong_models,     &QueryCounts::restarts,
  };
};

}  // namespace heddle::symbolic
