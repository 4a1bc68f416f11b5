// Two solvers in a row: the incremental CaDiCaL on bit-blasted terms first, with a short limit, and a fresh Z3 for what
// it could not decide. Either's model is evaluated before anybody relies on it.
#include <algorithm>
#include <ctime>

#include "symbolic/queries.h"
#include "symbolic/solver.h"

namespace heddle::symbolic {
namespace {

// Time of this thread on a processor: what a call costs, however busy the machine is.
double processor_microseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

class SolverChain final : public Solver {
 public:
  SolverChain(TermStore& store, std::chrono::milliseconds first)
      : store_(store), first_(first), cadical_(make_cadical_solver(store)), z3_(make_z3_solver(store)) {}

  Solution solve(std::span<const TermId> conditions, std::chrono::milliseconds limit) override {
    const double start = processor_microseconds();
    Solution out;
    if (first_.count() > 0) out = consult(*cadical_, conditions, std::min(first_, limit), SolvedBy::kCadical);
    if (out.answer == Answer::kUnknown) {
      const std::uint32_t wrong = out.wrong_models;
      out = consult(*z3_, conditions, limit, SolvedBy::kZ3);
      out.wrong_models += wrong;
    }
    out.microseconds = processor_microseconds() - start;
    return out;
  }

 private:
  Solution consult(Solver& solver, std::span<const TermId> conditions, std::chrono::milliseconds limit, SolvedBy whom) {
    Solution out = solver.solve(conditions, limit);
    if (out.answer == Answer::kSat && !store_.all_hold(conditions, out.inputs)) {
      out.answer = Answer::kUnknown;
      ++out.wrong_models;
    }
    if (out.answer != Answer::kUnknown) out.by = whom;
    return out;
  }

  TermStore& store_;
  std::chrono::milliseconds first_;
  std::unique_ptr<Solver> cadical_;
  std::unique_ptr<Solver> z3_;
};

}  // namespace

std::unique_ptr<Solver> make_solver_chain(TermStore& store, std::chrono::milliseconds first) {
  return std::make_unique<SolverChain>(store, first);
}

// Here and not in queries.cpp: whoever brings another solver need not have these.
Queries::Queries(TermStore& store, const QueryOptions& options)
    : Queries(store, options, make_solver_chain(store, options.cadical_limit)) {}

}  // namespace heddle::symbolic
