// The solvers for one worker: a thread of `heddle` that answers on a socket until the other end is closed.
//
// Apart from the program under test, whose memory is rewound and whose heap is not ours to use. What can be answered
// without a solver is answered in the worker, so few questions come this far.
#pragma once

#include <thread>

#include "base/result.h"
#include "native/protocol/solver_messages.h"

namespace heddle::supervisor {

// Repeats the worker's terms and asks the solvers (also used without a socket, in tests).
class SolverMirror {
 public:
  SolverMirror();
  ~SolverMirror();
  Result<symbolic::Solution> answer(const protocol::Question& question);

 private:
  struct Engine;
  Result<bool> follow(const protocol::Question& question);

  std::vector<symbolic::Term> terms_;  // as the worker numbers them, from 1
  std::unique_ptr<Engine> engine_;
};

class SolverService {
 public:
  // The worker's end of the socket is handed out once and closed by whoever started the worker.
  static Result<std::unique_ptr<SolverService>> start();
  ~SolverService();
  int worker_end() const { return worker_end_; }
  void close_worker_end();

 private:
  SolverService(int own, int worker) : own_end_(own), worker_end_(worker) {}
  void serve();

  int own_end_;
  int worker_end_;
  std::thread thread_;
};

}  // namespace heddle::supervisor
