// CaDiCaL behind the bit-blaster, one long-lived solver: terms become clauses once, each condition of a query is an
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

class CadicalSolver final : public Solver {
 public:
  explicit CadicalSolver(TermStore& store)
      : store_(store),
        gates_([this](std::span<const Literal> clause) {
          for (const Literal l : clause) sat_.add(l);
          sat_.add(0);
        }),
        blaster_(store, gates_) {
    sat_.connect_terminator(&deadline_);
  }
  ~CadicalSolver() override { sat_.disconnect_terminator(); }

  Solution solve(std::span<const TermId> conditions, std::chrono::milliseconds limit) override {
    std::vector<Literal> assumptions;
    for (const TermId c : conditions) {
      REQUIRE(store_.width(c) == 1);
      assumptions.push_back(blaster_.blast(c)[0]);
    }
    for (const Literal l : assumptions) sat_.assume(l);
    deadline_.set(Clock::now() + limit);
    Solution out;
    switch (sat_.solve()) {
      case 10:
        out.answer = Answer::kSat;
        read_inputs(out.inputs);
        break;
      case 20:
        out.answer = Answer::kUnsat;
        for (std::size_t i = 0; i < assumptions.size(); ++i)
          if (sat_.failed(assumptions[i])) out.core.push_back(conditions[i]);
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
      const auto* bits = blaster_.input_bits(store_.input_term(i));
      if (bits == nullptr) continue;
      for (std::size_t b = 0; b < bits->size(); ++b)
        if (sat_.val((*bits)[b]) > 0) inputs[i] |= std::uint64_t{1} << b;
    }
  }

  TermStore& store_;
  Deadline deadline_;
  CaDiCaL::Solver sat_;
  Gates gates_;
  BitBlaster blaster_;
};

}  // namespace

std::unique_ptr<Solver> make_cadical_solver(TermStore& store) { return std::make_unique<CadicalSolver>(store); }

}  // namespace heddle::symbolic
