#include "explore/algorithms.h"

#include <charconv>

#include "explore/clock_vector.h"
#include "explore/dpor.h"
#include "explore/dpor_cr.h"
#include "explore/exhaustive.h"
#include "explore/optimal_dpor.h"
#include "explore/preemption_bound.h"
#include "explore/race_flip.h"
#include "explore/reads_from_sampling.h"
#include "explore/sampling.h"
#include "explore/selective_sampling.h"
#include "explore/source_dpor.h"

namespace heddle::explore {
namespace {

constexpr AlgorithmInfo kAlgorithms[] = {
    {"exhaustive", "every interleaving of visible operations; the oracle for small programs", "every interleaving",
     "Kähkönen 2015 section 2.3"},
    {"dpor", "dynamic partial order reduction with one clock per object; reads of one object are ordered",
     "every class", "Saarikivi et al. 2012 Fig. 2; Flanagan and Godefroid 2005"},
    {"dpor-traversing", "the same, looking for races along the whole execution; reads commute", "every class",
     "Saarikivi et al. 2012 Fig. 1"},
    {"dpor-cr", "dpor with commutative reads: last write and the reads since, per object", "every class",
     "Saarikivi et al. 2012 Fig. 3 and 5"},
    {"clock-vector", "clock vectors over objects known to be shared, as built for Java PathFinder",
     "every class; counts states", "Noonan et al. 2014 Table 2"},
    {"jpf-sharing", "every thread at each access to an object known to be shared, as Java PathFinder does",
     "every class; counts states", "Noonan et al. 2014 Table 1"},
    {"race-flip", "race flags and postponed threads, as in jCUTE", "every class",
     "Kähkönen 2015 section 2.4; Sen and Agha 2006"},
    {"source-dpor", "backtrack sets that are source sets, with sleep sets", "every class once",
     "Frontrun; JACM 2017 Algorithm 1"},
    {"optimal-dpor", "wakeup trees; nothing is ever sleep-set blocked (the default)",
     "every class exactly once, no wasted execution", "Frontrun; JACM 2017 Algorithm 2"},
    {"random", "a random walk per execution", "a sample", "Frontrun; Kähkönen 2015 section 1.1"},
    {"pct", "random priorities with --pct-depth minus one change points",
     "a sample; finds a bug of depth d with probability 1/(n k^(d-1))", "Burckhardt et al. 2010"},
    {"pos", "random priorities per operation, redrawn for those that race", "a sample of partial orders",
     "Yuan, Yang, Gu 2018"},
    {"surw", "walks that are uniform among the interleavings of the steps on one object, another one each time",
     "a sample", "Zhao et al. 2025"},
    {"rff", "walks towards pairs of a write and a read that were not seen yet, from those that showed new ones",
     "a sample", "Wolff et al. 2024"},
    {"unfolding", "the program's unfolding, from executions aimed at what is missing in it",
     "every local state of every thread, every deadlock, every global state asked for; at most one execution per class",
     "Kähkönen 2015 ch. 3, 4, 6.3"},
    {"contextual-unfolding", "the same with read arcs: reads of one value and its replacement stay unordered",
     "every local state of every thread, every deadlock, every global state asked for; often far fewer executions",
     "Kähkönen 2015 ch. 5, 6.3"},
    {"stateful", "all markings of the program's Petri net, which is learnt from executions; with sleep sets",
     "every local state of every thread, every deadlock, every global state asked for; runs only what the net cannot "
     "foretell",
     "Kähkönen 2015 section 7.3"},
    {"stateful-unfolding", "a complete prefix of the unfolding of that net, cut off where states meet again",
     "the same, and without the interleavings of what is independent", "Kähkönen 2015 section 7.4, 6.3"},
    {"trust", "execution graphs of a memory model, with forward and backward revisits",
     "every execution graph exactly once", "Kokologiannakis et al. 2022"},
};

constexpr AlgorithmInfo kModifiers[] = {
    {"--sleep-sets", "steps explored from a node sleep in its later children",
     "no two complete executions of one class", "Saarikivi et al. 2012 Fig. 7; Kähkönen 2015 section 2.4"},
    {"--preemptions=K", "at most K switches away from a thread that could go on",
     "every class that has a member within the bound", "Frontrun; Coons et al. 2013"},
    {"--match=values", "stateful, stateful-unfolding: states in which the same values are found are one",
     "same findings", "Kähkönen 2015 section 7.5"},
    {"--memory=sc|tso|c++20", "trust: the memory model; implies trust unless it is sc",
     "every graph that the model allows", "ISO C++20 [atomics.order]"},
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

bool is_sampling(Algorithm a) { return a >= Algorithm::kRandom && a <= Algorithm::kRff; }

bool is_stateful(Algorithm a) { return a == Algorithm::kStateful || a == Algorithm::kStatefulUnfolding; }

bool unfolds(Algorithm a) {
  return a == Algorithm::kUnfolding || a == Algorithm::kContextualUnfolding || is_stateful(a);
}

std::optional<Error> contradiction_in(const StrategyOptions& o, const Frontier* frontier) {
  const std::string name(name_of(o.algorithm));
  if (unfolds(o.algorithm) && (o.sleep_sets || o.preemptions || o.order.kind != OrderKind::kDfs))
    return contradiction("--sleep-sets, --preemptions and --order need a search tree and " + name + " has none",
                         "drop them");
  if (o.memory.value_or(MemoryModel::kSc) != MemoryModel::kSc && o.algorithm != Algorithm::kTrust)
    return contradiction("--memory=" + std::string(trace::name_of(*o.memory)) + " needs execution graphs and " + name +
                             " explores interleavings",
                         "drop one of them, or use --algorithm=trust");
  if (o.algorithm == Algorithm::kTrust && (o.sleep_sets || o.preemptions || o.order.kind != OrderKind::kDfs))
    return contradiction("--sleep-sets, --preemptions and --order need a search tree and trust has none", "drop them");
  if (o.match_values && !is_stateful(o.algorithm))
    return contradiction("--match=values is about states and " + name + " remembers none",
                         "drop it, or use stateful or stateful-unfolding");
  if (is_sampling(o.algorithm)) {
    if (o.sleep_sets)
      return contradiction("--sleep-sets needs a search tree and " + name + " is sampling", "drop one of them");
    if (o.preemptions)
      return contradiction("--preemptions needs a search tree and " + name + " is sampling",
                           "drop one of them (pct bounds what it samples by --pct-depth)");
    if (o.order.kind != OrderKind::kDfs)
      return contradiction("--order needs a search tree and " + name + " is sampling", "drop one of them");
  }
  if (o.preemptions && o.sleep_sets)
    return contradiction("--sleep-sets would miss classes under a pre-emption bound",
                         "drop --sleep-sets or --preemptions");
  const bool no_bound = o.algorithm == Algorithm::kClockVector || o.algorithm == Algorithm::kJpfSharing ||
                        o.algorithm == Algorithm::kRaceFlip;
  if (o.preemptions && no_bound)
    return contradiction(name + " has no complete form under a pre-emption bound",
                         "use optimal-dpor, source-dpor, dpor, dpor-cr or exhaustive with --preemptions");
  const bool divisible = o.algorithm == Algorithm::kOptimalDpor && !o.preemptions && o.order.kind == OrderKind::kDfs;
  if (frontier != nullptr && !divisible)
    return contradiction("only optimal-dpor in depth-first order without a bound can be explored in parallel",
                         "drop -j, or the option that asks for another search");
  return std::nullopt;
}

std::span<const AlgorithmInfo> algorithms() { return kAlgorithms; }
std::span<const AlgorithmInfo> modifiers() { return kModifiers; }
std::string_view name_of(Algorithm a) { return kAlgorithms[static_cast<std::size_t>(a)].name; }

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
  if (is_sampling(o.algorithm)) return Guarantee::kSample;
  if (o.algorithm == Algorithm::kExhaustive && !o.sleep_sets) return Guarantee::kEveryInterleaving;
  if (unfolds(o.algorithm)) return Guarantee::kEveryLocalState;
  if (o.preemptions) return Guarantee::kEveryClass;
  const bool once = o.algorithm == Algorithm::kSourceDpor || o.algorithm == Algorithm::kOptimalDpor ||
                    o.algorithm == Algorithm::kTrust || o.sleep_sets;
  return once ? Guarantee::kEveryClassOnce : Guarantee::kEveryClass;
}

Result<std::unique_ptr<Strategy>> make_strategy(const StrategyOptions& o, Frontier* frontier) {
  if (auto error = contradiction_in(o, frontier)) return *error;
  using Made = std::unique_ptr<Strategy>;
  TreeOptions tree{o.sleep_sets ? Explored::kSleep : Explored::kForgotten, o.preemptions, o.order};
  if (o.preemptions && o.algorithm != Algorithm::kExhaustive) return Made(std::make_unique<PreemptionBound>(tree));
  switch (o.algorithm) {
    case Algorithm::kExhaustive:
      return Made(std::make_unique<Exhaustive>(tree));
    case Algorithm::kDpor:
      return Made(std::make_unique<Dpor>(tree));
    case Algorithm::kDporTraversing:
      return Made(std::make_unique<DporTraversing>(tree));
    case Algorithm::kDporCr:
      return Made(std::make_unique<DporCr>(tree));
    case Algorithm::kClockVector:
      return Made(std::make_unique<ClockVector>(tree));
    case Algorithm::kJpfSharing:
      return Made(std::make_unique<JpfSharing>(tree));
    case Algorithm::kRaceFlip:
      if (!o.sleep_sets) tree.explored = Explored::kPostponed;
      return Made(std::make_unique<RaceFlip>(tree));
    case Algorithm::kSourceDpor:
      tree.explored = Explored::kSleep;
      return Made(std::make_unique<SourceDpor>(tree));
    case Algorithm::kOptimalDpor:
      if (o.order.kind == OrderKind::kDfs) return Made(std::make_unique<OptimalDpor>(frontier, o.feasibility));
      // Wakeup trees keep their promise only in the order they are built in; in others source sets do better.
      tree.explored = Explored::kSleep;
      return Made(std::make_unique<SourceDpor>(tree));
    case Algorithm::kRandom:
      return Made(std::make_unique<Sampling>(Tail{TailKind::kRandom, o.seed}));
    case Algorithm::kPct:
      return Made(std::make_unique<Sampling>(Tail{TailKind::kPct, o.seed, o.pct_depth}));
    case Algorithm::kPos:
      return Made(std::make_unique<Sampling>(Tail{TailKind::kPos, o.seed}));
    case Algorithm::kSurw:
      return Made(std::make_unique<SelectiveSampling>(o.seed));
    case Algorithm::kRff:
      return Made(std::make_unique<ReadsFromSampling>(o.seed));
    case Algorithm::kUnfolding:
    case Algorithm::kContextualUnfolding:
    case Algorithm::kStateful:
    case Algorithm::kStatefulUnfolding:
    case Algorithm::kTrust:
      return Error{std::string(name_of(o.algorithm)) + " cannot be used here; use optimal-dpor"};
  }
  return Error{"unknown algorithm"};
}

}  // namespace heddle::explore
