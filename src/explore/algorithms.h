// The table of algorithms and modifiers: name, source, guarantee, what each one needs, and how it is made.
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
  bool automatic = false;   // optimal-dpor, and others where it does not end soon (strategies/auto_search.h)
  bool sleep_sets = false;  // modifier; always on in source-dpor and optimal-dpor
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

// What a strategy walks over; what it needs follows from that.
enum class Family : std::uint8_t {
  kTree,       // of schedules; takes modifiers
  kSampling,   // nothing: every execution is drawn anew
  kUnfolding,  // an unfolding (unfold/)
  kStateful,   // states that are remembered (stateful/)
  kGraphs,     // execution graphs of a memory model (graph/)
};

struct ModifierInfo {
  std::string_view name;
  std::string_view summary;    // one line
  std::string_view guarantee;  // one phrase
  std::string_view source;
};

// A row of the table of strategies.
struct AlgorithmInfo {
  std::string_view name;
  std::string_view summary;
  std::string_view guarantee;
  std::string_view source;
  Family family = Family::kTree;
  Guarantee promise = Guarantee::kEveryClass;  // without modifiers
  bool bounded = false;                        // has a complete form within a bound on pre-emptions
  // Null: made above this folder (strategies/registry.h).
  std::unique_ptr<Strategy> (*make)(const StrategyOptions& options) = nullptr;
};

std::span<const AlgorithmInfo> algorithms();  // indexed by Algorithm
std::span<const ModifierInfo> modifiers();    // sleep-sets, preemption-bound, the search orders
const ModifierInfo& automatic();              // StrategyOptions::automatic
const AlgorithmInfo& info_of(Algorithm algorithm);
inline Family family_of(Algorithm algorithm) { return info_of(algorithm).family; }

std::optional<Algorithm> algorithm_named(std::string_view name);
std::string_view name_of(Algorithm algorithm);
// "dfs", "bit-reversal", "bit-reversal:7", ...
Result<SearchOrder> parse_order(std::string_view text);
std::string to_text(const SearchOrder& order);

Guarantee guarantee_of(const StrategyOptions& options);
// Is it local states of threads that are covered, instead of classes?
inline bool covers_local_states(Algorithm algorithm) {
  return info_of(algorithm).promise == Guarantee::kEveryLocalState;
}
// Do algorithm and modifiers fit together? If not, why.
std::optional<Error> contradiction_in(const StrategyOptions& options);
// An error where options contradict each other, and for algorithms that are made above this folder.
Result<std::unique_ptr<Strategy>> make_strategy(const StrategyOptions& options);

}  // namespace heddle::explore
