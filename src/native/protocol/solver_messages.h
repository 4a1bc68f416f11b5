// Questions of a worker to the solvers, which live in the supervisor's process (symbolic/solver.h).
//
// A worker numbers its terms in order and never takes one back, so a question carries only the terms that are new since
// the last one; both sides then mean the same by a number. A worker that went back (an execution in a process of its
// own ended without reporting its terms) says so by a first new term below what the other side has.
//
// On a pair of sockets, each message a frame: u32 length of what follows, payload (little endian).
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "symbolic/solver.h"

namespace heddle::protocol {

struct Question {
  std::uint32_t first_term = 0;  // number of terms[0]
  std::vector<symbolic::Term> terms;
  std::vector<symbolic::TermId> conditions;
  std::uint32_t first_milliseconds = 200;  // for CaDiCaL
  std::uint32_t milliseconds = 2000;
};

std::vector<std::uint8_t> encode(const Question& question);
std::vector<std::uint8_t> encode(const symbolic::Solution& solution);

// Without the length. What they say is not checked against a store: TermStore::adopt does that.
Result<Question> decode_question(std::span<const std::uint8_t> payload);
Result<symbolic::Solution> decode_solution(std::span<const std::uint8_t> payload);

}  // namespace heddle::protocol
