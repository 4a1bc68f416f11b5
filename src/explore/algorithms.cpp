#include "explore/algorithms.h"

#include <charconv>

#include "explore/clock_vector.h"
#include "explore/dpor.h"
#include "explore/dpor_cr.h"
#include "explore/exhaustive.h"
#include "explore/explores_graphs.h"
#include "explore/optimal_dpor.h"
#include "explore/preemption_bound.h"
#include "explore/race_flip.h"
#include "explore/reads_from_sampling.h"
#include "explore/sampling.h"
#include "explore/selective_sampling.h"
#include "explore/source_dpor.h"

namespace heddle::explore {
namespace {

using Made = std::unique_ptr<Strategy>;

TreeOptions tree_options(const StrategyOptions& o, Explored explored) {
  return {o.sleep_sets ? Explored::kSleep : explored, o.preemptions, o.order};
}

// A search of a tree. Within a bound all but the plainest are one and the same.
template <class T, Explored explored = Explored::kForgotten>
Made tree(const StrategyOptions& o) {
  const TreeOptions options = tree_options(o, explored);
  if (o.preemptions && !std::is_same_v<T, Exhaustive>)
    return std::make_unique<PreemptionBound>(tree_options(o, Explored::kForgotten));
  return std::make_unique<T>(options);
}

// Wakeup trees keep their promise only in the order they are built in; in others source sets do better.
Made optimal(const StrategyOptions& o) {
  if (o.preemptions || o.order.kind != OrderKind::kDfs) return tree<SourceDpor, Explored::kSleep>(o);
  return std::make_unique<OptimalDpor>(o.feasibility);
}

template <TailKind kind>
Made sampling(const StrategyOptions& o) {
  return std::make_unique<Sampling>(Tail{kind, o.seed, o.pct_depth});
}

template <class T>
Made seeded(const StrategyOptions& o) {
  return std::make_unique<T>(o.seed);
}

constexpr bool kBounded = true;

constexpr AlgorithmInfo kAlgorithms[] = {
    {"exhaustive", "every interleaving of visible operations; the oracle for small programs", "every interleaving",
     "Kähkönen 2015 section 2.3", Family::kTree, Guarantee::kEveryInterleaving, kBounded, tree<Exhaustive>},
    {"dpor", "dynamic partial order reduction with one clock per object; reads of one object are ordered",
     "every class", "Saarikivi et al. 2012 Fig. 2; Flanagan and Godefroid 2005", Family::kTree, Guarantee::kEveryClass,
     kBounded, tree<Dpor>},
    {"dpor-traversing", "the same, looking for races along the whole execution; reads commute", "every class",
     "Saarikivi et al. 2012 Fig. 1", Family::kTree, Guarantee::kEveryClass, kBounded, tree<DporTraversing>},
    {"dpor-cr", "dpor with commutative reads: last write and the reads since, per object", "every class",
     "Saarikivi et al. 2012 Fig. 3 and 5", Family::kTree, Guarantee::kEveryClass, kBounded, tree<DporCr>},
    {"clock-vector", "clock vectors over objects known to be shared, as built for Java PathFinder",
     "every class; counts states", "Noonan et al. 2014 Table 2", Family::kTree, Guarantee::kEveryClass, !kBounded,
     tree<ClockVector>},
    {"jpf-sharing", "every thread at each access to an object known to be shared, as Java PathFinder does",
     "every class; counts states", "Noonan et al. 2014 Table 1", Family::kTree, Guarantee::kEveryClass, !kBounded,
     tree<JpfSharing>},
    {"race-flip", "race flags and postponed threads, as in jCUTE", "every class",
     "Kähkönen 2015 section 2.4; Sen and Agha 2006", Family::kTree, Guarantee::kEveryClass, !kBounded,
     tree<RaceFlip, Explored::kPostponed>},
    {"source-dpor", "backtrack sets that are source sets, with sleep sets", "every class once",
     "Frontrun; JACM 2017 Algorithm 1", Family::kTree, Guarantee::kEveryClassOnce, kBounded,
     tree<SourceDpor, Explored::kSleep>},
    {"optimal-dpor", "wakeup trees; nothing is ever sleep-set blocked", "every class exactly once, no wasted execution",
     "Frontrun; JACM 2017 Algorithm 2", Family::kTree, Guarantee::kEveryClassOnce, kBounded, optimal},
    {"random", "a random walk per execution", "a sample", "Frontrun; Kähkönen 2015 section 1.1", Family::kSampling,
     Guarantee::kSample, !kBounded, sampling<TailKind::kRandom>},
    {"pct", "random priorities with --pct-depth minus one change points",
     "a sample; finds a bug of depth d with probability 1/(n k^(d-1))", "Burckhardt et al. 2010", Family::kSampling,
     Guarantee::kSample, !kBounded, sampling<TailKind::kPct>},
    {"pos", "random priorities per operation, redrawn for those that race", "a sample of partial orders",
     "Yuan, Yang, Gu 2018", Family::kSampling, Guarantee::kSample, !kBounded, sampling<TailKind::kPos>},
    {"surw", "walks that are uniform among the interleavings of the steps on one object, another one each time",
     "a sample", "Zhao et al. 2025", Family::kSampling, Guarantee::kSample, !kBounded, seeded<SelectiveSampling>},
    {"rff", "walks towards pairs of a write and a read that were not seen yet, from those that showed new ones",
     "a sample", "Wolff et al. 2024", Family::kSampling, Guarantee::kSample, !kBounded, seeded<ReadsFromSampling>},
    {"unfolding", "the program's unfolding, from executions aimed at what is missing in it",
     "every local state of every thread, every deadlock, every global state asked for; at most one execution per class",
     "Kähkönen 2015 ch. 3, 4, 6.3", Family::kUnfolding, Guarantee::kEveryLocalState},
    {"contextual-unfolding", "the same with read arcs: reads of one value and its replacement stay unordered",
     "every local state of every thread, every deadlock, every global state asked for; often far fewer executions",
     "Kähkönen 2015 ch. 5, 6.3", Family::kUnfolding, Guarantee::kEveryLocalState},
    {"stateful", "all markings of the program's Petri net, which is learnt from executions; with sleep sets",
     "every local state of every thread, every deadlock, every global state asked for; runs only what the net cannot "
     "foretell",
     "Kähkönen 2015 section 7.3", Family::kStateful, Guarantee::kEveryLocalState},
    {"stateful-unfolding", "a complete prefix of the unfolding of that net, cut off where states meet again",
     "the same, and without the interleavings of what is independent", "Kähkönen 2015 section 7.4, 6.3",
     Family::kStateful, Guarantee::kEveryLocalState},
    {"trust", "execution graphs of a memory model, with forward and backward revisits",
     "every execution graph exactly once", "Kokologiannakis et al. 2022", Family::kGraphs, Guarantee::kEveryClassOnce},
};
static_assert(std::size(kAlgorithms) == kAlgorithmCount);

constexpr ModifierInfo kAutomatic = {
    "auto",
    "optimal-dpor, and where that does not end soon samples, pre-emption bounds and an unfolding beside it (default)",
    "that of the search that ends first; else every class within a number of pre-emptions", "docs/adr/0018"};

constexpr ModifierInfo kModifiers[] = {
    {"--sleep-sets", "steps explored from a node sleep in its later children",
     "no two complete executions of one class", "Saarikivi et al. 2012 Fig. 7; Kähkönen 2015 section 2.4"},
    {"--preemptions=K", "at most K switches away from a thread that could go on",
     "every class that has a member within the bound", "Frontrun; Coons et al. 2013"},
    {"--match=values", "stateful, stateful-unfolding: states in which the same values are found are one",
     "same findings", "Kähkönen 2015 section 7.5"},
    {"--memory=sc|tso|c++20",
     "trust, random, pct, pos: the memory model; implies trust unless it is sc or an algorithm is named",
     "trust: every graph that the model allows", "ISO C++20 [atomics.order]"},
    {"--order=dfs", "alternatives at a node by thread id", "same classes", "Frontrun"},
    {"--order=bit-reversal[:SEED]", "alternatives in van der Corput order", "same classes", "Frontrun"},
    {"--order=round-robin[:SEED]", "start one further at each depth", "same classes", "Frontrun"},
    {"--order=stride[:SEED]", "steps coprime to the number of alternatives", "same classes", "Frontrun"},
    {"--order=conflict-first[:SEED]", "threads farthest from the default choice first", "same classes", "Frontrun"},
};

constexpr std::pair<std::string_view, OrderKind> kOrders[] = {{"dfs", OrderKind::kDfs},
                                                              {"bit-reversal", OrderKind::kBitReversal},
                                                              {"round-robin", OrderKind::kRoundRobin},
                                                              {"stride", OrderKind::kStride},
                                                              {"conflict-first", OrderKind::kConflictFirst}};

Error contradiction(const std::string& what, const std::string& remedy) {
  return Error{"contradictory options: " + what + "; " + remedy};
}

}  // namespace

std::optional<Error> contradiction_in(const StrategyOptions& o) {
  const AlgorithmInfo& info = info_of(o.algorithm);
  const std::string name(info.name);
  if (explores_graphs(o) && info.family != Family::kGraphs && !tail_for_graphs(o.algorithm))
    return contradiction("--memory=" + std::string(trace::name_of(*o.memory)) + " needs execution graphs and " + name +
                             " explores interleavings",
                         "drop one of them, or use --algorithm=trust, or random, pct or pos for samples");
  if (o.match_values && info.family != Family::kStateful)
    return contradiction("--match=values is about states and " + name + " remembers none",
                         "drop it, or use stateful or stateful-unfolding");
  if (info.family == Family::kSampling) {
    if (o.sleep_sets)
      return contradiction("--sleep-sets needs a search tree and " + name + " is sampling", "drop one of them");
    if (o.preemptions)
      return contradiction("--preemptions needs a search tree and " + name + " is sampling",
                           "drop one of them (pct bounds what it samples by --pct-depth)");
    if (o.order.kind != OrderKind::kDfs)
      return contradiction("--order needs a search tree and " + name + " is sampling", "drop one of them");
  }
  if (info.family != Family::kTree && (o.sleep_sets || o.preemptions || o.order.kind != OrderKind::kDfs))
    return contradiction("--sleep-sets, --preemptions and --order need a search tree and " + name + " has none",
                         "drop them");
  if (o.preemptions && o.sleep_sets)
    return contradiction("--sleep-sets would miss classes under a pre-emption bound",
                         "drop --sleep-sets or --preemptions");
  if (o.preemptions && !info.bounded)
    return contradiction(name + " has no complete form under a pre-emption bound",
                         "use optimal-dpor, source-dpor, dpor, dpor-cr or exhaustive with --preemptions");
  return std::nullopt;
}

std::span<const AlgorithmInfo> algorithms() { return kAlgorithms; }
std::span<const ModifierInfo> modifiers() { return kModifiers; }
const ModifierInfo& automatic() { return kAutomatic; }
const AlgorithmInfo& info_of(Algorithm a) { return kAlgorithms[static_cast<std::size_t>(a)]; }
std::string_view name_of(Algorithm a) { return info_of(a).name; }

std::optional<Algorithm> algorithm_named(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kAlgorithms); ++i)
    if (kAlgorithms[i].name == name) return static_cast<Algorithm>(i);
  return std::nullopt;
}

Result<SearchOrder> parse_order(std::string_view text) {
  SearchOrder order;
  const auto colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  if (colon != text.npos) {
    const std::string_view seed = text.substr(colon + 1);
    const auto [end, error] = std::from_chars(seed.data(), seed.data() + seed.size(), order.seed);
    if (seed.empty() || error != std::errc() || end != seed.data() + seed.size())
      return Error{"bad seed in search order \"" + std::string(text) + "\"; write e.g. bit-reversal:7"};
  }
  for (const auto& [known, kind] : kOrders) {
    if (known != name) continue;
    order.kind = kind;
    return order;
  }
  return Error{"unknown search order \"" + std::string(name) +
               "\"; there are dfs, bit-reversal, round-robin, stride and conflict-first"};
}

std::string to_text(const SearchOrder& order) {
  std::string text;
  for (const auto& [name, kind] : kOrders)
    if (kind == order.kind) text = name;
  return order.seed == 0 ? text : text + ":" + std::to_string(order.seed);
}

Guarantee guarantee_of(const StrategyOptions& o) {
  const Guarantee promise = info_of(o.algorithm).promise;
  const bool tree = promise == Guarantee::kEveryClass || promise == Guarantee::kEveryInterleaving;
  if (o.sleep_sets && tree) return Guarantee::kEveryClassOnce;
  return o.preemptions && promise == Guarantee::kEveryClassOnce ? Guarantee::kEveryClass : promise;
}

Result<std::unique_ptr<Strategy>> make_strategy(const StrategyOptions& o) {
  if (auto error = contradiction_in(o)) return *error;
  const AlgorithmInfo& info = info_of(o.algorithm);
  if (!info.make) return Error{std::string(info.name) + " cannot be used here; use optimal-dpor"};
  return info.make(o);
}

}  // namespace heddle::explore
