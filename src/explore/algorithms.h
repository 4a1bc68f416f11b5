// The list of algorithms and modifiers, and the one place that turns a choice of them into a Strategy.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "explore/strategy.h"
#include "trace/feasibility.h"

namespace heddle::explore {

class Frontier;

enum class Algorithm : std::uint8_t {
  kExhaustive,
  kDpor,            // per-object clocks, Saarikivi et al. 2012 Fig. 2
  kDporTraversing,  // Saarikivi et al. 2012 Fig. 1
  kDporCr,          // Saarikivi et al. 2012 Fig. 3
  kClockVector,     // Noonan et al. 2014 Table 2
  kJpfSharing,      // Noonan et al. 2014 Table 1
  kRaceFlip,
  kSourceDpor,
  kOptimalDpor,
  kRandom,
  kPct,
  kPos,
  kSurw,
  kRff,
  kUnfolding,            // Kähkönen 2015 ch. 3 and 4
  kContextualUnfolding,  // Kähkönen 2015 ch. 5
  kStateful,             // Kähkönen 2015 section 7.3
  kStatefulUnfolding,    // Kähkönen 2015 section 7.4
  kTrust,                // POPL 2022; over execution graphs
};
inline constexpr std::uint64_t kAlgorithmCount = static_cast<std::uint64_t>(Algorithm::kTrust) + 1;

enum class OrderKind : std::uint8_t { kDfs, kBitReversal, kRoundRobin, kStride, kConflictFirst };

struct SearchOrder {
  OrderKind kind = OrderKind::kDfs;
  std::uint64_t seed = 0;
};

struct StrategyOptions {
  Algorithm algorithm = Algorithm::kOptimalDpor;
  bool sleep_sets = false;                   // modifier; always on in source-dpor and optimal-dpor
  std::optional<std::uint32_t> preemptions;  // modifier: at most this many pre-emptions
  SearchOrder order;
  std::uint64_t seed = 0;  // sampling
  std::uint32_t pct_depth = 3;
  bool match_values = false;           // modifier: states with the same values are one (stateful)
  std::optional<MemoryModel> memory;   // modifier of trust; others know interleavings only
  Feasibility* feasibility = nullptr;  // of a program with branches on inputs
};

// What a run that ends by itself has shown.
enum class Guarantee : std::uint8_t {
  kEveryInterleaving,
  kEveryClass,       // possibly several times
  kEveryClassOnce,   // no two complete executions of one class
  kEveryLocalState,  // of every thread, and every deadlock; no two executions of one class
  kSample,           // nothing: never exhausted
};

struct AlgorithmInfo {
  std::string_view name;
  std::string_view summary;    // one line
  std::string_view guarantee;  // one phrase
  std::string_view source;
};

bool is_sampling(Algorithm a);
std::span<const AlgorithmInfo> algorithms();  // indexed by Algorithm
std::span<const AlgorithmInfo> modifiers();   // sleep-sets, preemption-bound, the search orders

std::optional<Algorithm> algorithm_named(std::string_view name);
std::string_view name_of(Algorithm algorithm);
// "dfs", "bit-reversal", "bit-reversal:7", ...
Result<SearchOrder> parse_order(std::string_view text);
std::string to_text(const SearchOrder& order);

Guarantee guarantee_of(const StrategyOptions& options);
// Is it one of those that cover local states instead of classes? They are made outside this folder
// (ExploreOptions::make).
bool unfolds(Algorithm algorithm);
// Of these, does it remember states?
bool is_stateful(Algorithm algorithm);
// Do algorithm and modifiers fit together? If not, why.
std::optional<Error> contradiction_in(const StrategyOptions& options, const Frontier* frontier = nullptr);
// An error where options contradict each other, and for algorithms that unfold.
// With a frontier: one of several explorers of the same search.
Result<std::unique_ptr<Strategy>> make_strategy(const StrategyOptions& options, Frontier* frontier = nullptr);

}  // namespace heddle::explore
