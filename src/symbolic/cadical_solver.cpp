// CaDiCaL behind the bit-blaster, one solver for many queries: terms become clauses once, each condition of a query is an
// assumption, learnt clauses stay. The only file that includes CaDiCaL.
#include <cadical.hpp>

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

// A model assigns every variable, also those of terms that the query does not mention; so with many terms a fresh start
// is cheaper than what the old solver has learnt.
constexpr int kMostVariables = 40'000;

struct Engine {
  explicit Engine(const TermStore& store, Deadline& deadline)
      : gates([this](std::span<const Literal> clause) {
          for (const Literal l : clause) sat.add(l);
          sat.add(0);
        }),
        blaster(store, gates) {
    sat.connect_terminator(&deadline);
  }
  ~Engine() { sat.disconnect_terminator(); }

  CaDiCaL::Solver sat;
  // Queries are small and many: preprocessing for each costs more than it saves. Before the first clause.
  const bool plain = sat.configure("plain");
  Gates gates;
  BitBlaster blaster;
};

class CadicalSolver final : public Solver {
 public:
  explicit CadicalSolver(TermStore& store) : store_(store) {}

  Solution solve(std::span<const TermId> conditions, std::chrono::milliseconds limit) override {
    if (!engine_ || engine_->gates.variables() > kMostVariables) engine_ = std::make_unique<Engine>(store_, deadline_);
    CaDiCaL::Solver& sat = engine_->sat;
    std::vector<Literal> assumptions;
    for (const TermId c : conditions) {
      REQUIRE(store_.width(c) == 1);
      assumptions.push_back(engine_->blaster.blast(c)[0]);
    }
    for (const Literal l : assumptions) sat.assume(l);
    deadline_.set(Clock::now() + limit);
    Solution out;
    switch (sat.solve()) {
      case 10:
        out.answer = Answer::kSat;
        read_inputs(out.inputs);
        break;
      case 20:
        out.answer = Answer::kUnsat;
        for (std::size_t i = 0; i < assumptions.size(); ++i)
          if (sat.failed(assumptions[i])) out.core.push_back(conditions[i]);
        break;
      default:
        break;
    }
    return out;
  }

 private:
  void read_inputs(Assignment& inputs) {
    inputs.assign(store_.inputs(), 0);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto* bits = engine_->blaster.input_bits(store_.input_term(i));
      if (bits == nullptr) continue;
      for (std::size_t b = 0; b < bits->size(); ++b)
        if (engine_->sat.val((*bits)[b]) > 0) inputs[i] |= std::uint64_t{1} << b;
    }
  }

  TermStore& store_;
  Deadline deadline_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace

std::unique_ptr<Solver> make_cadical_solver(TermStore& store) { return std::make_unique<CadicalSolver>(store); }

}  // namespace heddle::symbolic
