// CaDiCaL behind the bit-blaster, solvers kept for many queries: terms become clauses once, each condition of a query
// is an assumption, learnt clauses stay. The only file that includes CaDiCaL.
//
// A model assigns every variable, also those of terms that the query does not mention: one product of 32 bits among the
// terms of other queries, and a comparison of two inputs costs milliseconds. So there is a solver for queries of each
// order of size, and one that has grown far beyond its size is begun anew. A query that is far larger than those of
// paths (unfold/smt_encoding.h) has a solver of its own, in which its conditions are clauses: there preprocessing pays.
// On updater, every question asked: median 1.3 ms with a single solver, 0.2 ms so (docs/inputs.md).
#include <cadical.hpp>

#include <array>
#include <unordered_set>

#include "base/assert.h"
#include "symbolic/bit_blaster.h"
#include "symbolic/solver.h"

namespace heddle::symbolic {
namespace {

using Clock = std::chrono::steady_clock;

class Deadline : public CaDiCaL::Terminator {
 public:
  void set(Clock::time_point at) { at_ = at; }
  // Called very often; the clock is looked at once in a while.
  bool terminate() override { return (++calls_ & 63) == 0 && Clock::now() >= at_; }

 private:
  Clock::time_point at_;
  unsigned calls_ = 0;
};

constexpr std::size_t kSmallest = 500;  // variables
constexpr std::size_t kBetweenOrders = 4;
constexpr std::size_t kMostGrowth = 4;
constexpr std::size_t kLarge = 100'000;      // variables: a query for itself, ...
constexpr std::chrono::seconds kPatient{5};  // ... if there is time: preprocessing does not heed the clock

struct Engine {
  enum class For : std::uint8_t { kMany, kOne };
  Engine(const TermStore& store, Deadline& deadline, For queries)
      : plain(queries == For::kMany && sat.configure("plain")),
        gates([this](std::span<const Literal> clause) {
          for (const Literal l : clause) sat.add(l);
          sat.add(0);
        }),
        blaster(store, gates) {
    sat.connect_terminator(&deadline);
  }
  ~Engine() { sat.disconnect_terminator(); }

  CaDiCaL::Solver sat;
  // Queries are small and many: preprocessing for each costs more than it saves. Before the first clause.
  const bool plain;
  Gates gates;
  BitBlaster blaster;
};

class CadicalSolver final : public Solver {
 public:
  explicit CadicalSolver(TermStore& store) : store_(store) {}

  Solution solve(std::span<const TermId> conditions, std::chrono::milliseconds limit) override {
    const std::size_t size = size_of(conditions);
    std::unique_ptr<Engine> own;
    if (size > kLarge && limit >= kPatient) own = std::make_unique<Engine>(store_, deadline_, Engine::For::kOne);
    Engine& engine = own ? *own : engine_for(size);
    CaDiCaL::Solver& sat = engine.sat;
    std::vector<Literal> assumptions;
    for (const TermId c : conditions) {
      REQUIRE(store_.width(c) == 1);
      assumptions.push_back(engine.blaster.blast(c)[0]);
    }
    for (const Literal l : assumptions) {
      if (!own) {
        sat.assume(l);
        continue;
      }
      sat.add(l);
      sat.add(0);
    }
    deadline_.set(Clock::now() + limit);
    Solution out;
    switch (sat.solve()) {
      case 10:
        out.answer = Answer::kSat;
        read_inputs(engine, out.inputs);
        break;
      case 20:
        out.answer = Answer::kUnsat;
        for (std::size_t i = 0; i < assumptions.size(); ++i)
          if (own || sat.failed(assumptions[i])) out.core.push_back(conditions[i]);
        break;
      default:
        break;
    }
    return out;
  }

 private:
  // About how many variables a term takes, its operands aside.
  static std::size_t size_of(const Term& t) {
    const std::size_t w = t.width;
    switch (t.kind) {
      case TermKind::kMul:
        return w * w;
      case TermKind::kUdiv:
      case TermKind::kSdiv:
      case TermKind::kUrem:
      case TermKind::kSrem:
        return 4 * w * w;
      case TermKind::kShl:
      case TermKind::kLshr:
      case TermKind::kAshr:
        return 8 * w;
      default:
        return 2 * w;
    }
  }

  std::size_t size_of(std::span<const TermId> conditions) {
    std::vector<TermId> stack(conditions.begin(), conditions.end());
    std::unordered_set<std::uint32_t> seen;
    std::size_t size = 0;
    while (!stack.empty()) {
      const TermId id = stack.back();
      stack.pop_back();
      if (!seen.insert(id.value).second) continue;
      const Term& t = store_[id];
      size += size_of(t);
      const TermId operands[] = {t.a, t.b, t.c};
      stack.insert(stack.end(), operands, operands + arity(t.kind));
    }
    return size;
  }

  Engine& engine_for(std::size_t size) {
    std::size_t order = 0, usual = kSmallest;
    while (usual < size && order + 1 < engines_.size()) {
      ++order;
      usual *= kBetweenOrders;
    }
    std::unique_ptr<Engine>& engine = engines_[order];
    if (!engine || static_cast<std::size_t>(engine->gates.variables()) > kMostGrowth * usual)
      engine = std::make_unique<Engine>(store_, deadline_, Engine::For::kMany);
    return *engine;
  }

  void read_inputs(Engine& engine, Assignment& inputs) {
    inputs.assign(store_.inputs(), 0);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto* bits = engine.blaster.input_bits(store_.input_term(i));
      if (bits == nullptr) continue;
      for (std::size_t b = 0; b < bits->size(); ++b)
        if (engine.sat.val((*bits)[b]) > 0) inputs[i] |= std::uint64_t{1} << b;
    }
  }

  TermStore& store_;
  Deadline deadline_;
  std::array<std::unique_ptr<Engine>, 6> engines_;  // by the order of size of their queries
};

}  // namespace

std::unique_ptr<Solver> make_cadical_solver(TermStore& store) { return std::make_unique<CadicalSolver>(store); }

std::string cadical_version() { return CaDiCaL::Solver::version(); }

}  // namespace heddle::symbolic
