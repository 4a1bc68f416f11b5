// The seam to constraint solvers: is a conjunction of conditions satisfiable, and by which inputs?
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "symbolic/term.h"

namespace heddle::symbolic {

enum class Answer : std::uint8_t { kSat, kUnsat, kUnknown };

enum class SolvedBy : std::uint8_t { kNobody, kCadical, kZ3 };

struct Solution {
  Answer answer = Answer::kUnknown;
  SolvedBy by = SolvedBy::kNobody;  // only a chain says
  double microseconds = 0;          // of processor time; only a chain says
  std::uint32_t wrong_models = 0;   // that a solver of the chain gave and evaluation refuted
  Assignment inputs;                // kSat
  std::vector<TermId> core;         // kUnsat: conditions of the query that contradict each other
};

class Solver {
 public:
  virtual ~Solver() = default;
  virtual Solution solve(std::span<const TermId> conditions, std::chrono::milliseconds limit) = 0;
};

// Incremental SAT over terms that are bit-blasted once (cadical_solver.cpp). The store must outlive the solver.
std::unique_ptr<Solver> make_cadical_solver(TermStore& store);
// A fresh QF_BV solver per query (z3_solver.cpp).
std::unique_ptr<Solver> make_z3_solver(TermStore& store);
// CaDiCaL for at most `first` of the limit (0: not at all), then Z3 (solver_chain.cpp). Inputs are evaluated before
// they are believed.
std::unique_ptr<Solver> make_solver_chain(TermStore& store, std::chrono::milliseconds first);

std::string cadical_version();
std::string z3_version();

}  // namespace heddle::symbolic
