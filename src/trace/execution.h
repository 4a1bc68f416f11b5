// One controlled execution, as plain data: what the algorithms learn from.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "trace/operation.h"
#include "trace/outcome.h"

namespace heddle::trace {

// The next operation of a thread that has not ended, in the final state.
struct Pending {
  Step step;  // as announced: alternatives and outcome are not decided yet
  bool enabled = false;
  // An enabled attempt: the state in which it would find its object, if the front end can tell.
  std::optional<std::uint64_t> found = std::nullopt;
  bool operator==(const Pending&) const = default;
};

// What an input was, by the thread that read it and the ordinal among that thread's inputs, from 1: a name that does
// not depend on the order in which threads read.
struct InputValue {
  ThreadId thread;
  std::uint32_t ordinal = 0;
  std::int64_t value = 0;
  std::uint32_t bytes_left = 0;  // of the buffer that it is a byte of, itself included; 0: a number of its own
  bool operator==(const InputValue&) const = default;
};

// A value that a step left in memory and that depends on inputs: its number in the front end's store of terms.
struct WrittenTerm {
  EventIndex step = 0;
  std::uint32_t term = 0;
  bool operator==(const WrittenTerm&) const = default;
};

// A turn of a waiting loop that changed nothing, and after which its thread was stopped (trace/turn.h).
struct IdleTurn {
  ThreadId thread;
  EventIndex first = 0;  // number of steps done when it began
  bool operator==(const IdleTurn&) const = default;
};

// A turn after which its thread stood where it had stood before, with nothing changed, and went on, because somebody
// else had seen it: it may turn out to be in vain together with others.
struct RoundTrip {
  ThreadId thread;
  EventIndex first = 0, end = 0;  // steps
  // Up to this step its next turn has found the same as this one in memory whose accesses are no steps.
  EventIndex same_until = kNoEvent;
  bool operator==(const RoundTrip&) const = default;
};

struct Execution {
  std::vector<Step> steps;
  std::vector<Pending> pending;  // of the final state, by thread id
  std::vector<Failure> failures;
  std::size_t threads = 0;           // ids 0 .. threads-1 occurred
  ThreadSet stopped;                 // before their end: failed, cut, spinning, an assumption
  std::vector<IdleTurn> idle_turns;  // of these, in waiting loops
  std::vector<RoundTrip> round_trips;
  ThreadSet unwanted;  // of these, an assumption that makes the whole execution void
  Outcome outcome = Outcome::kComplete;
  EventIndex diverged_at = kNoEvent;                 // first step at which the schedule could not be followed
  std::optional<Step> diverged_from = std::nullopt;  // what was there the last time, if the front end knows
  std::vector<std::int64_t> inputs;        // values that input() returned, in order (models: by thread, see front end)
  std::vector<InputValue> named_inputs;    // the same with their names, where the front end knows them
  std::vector<WrittenTerm> written_terms;  // by step

  void clear() {
    steps.clear();
    pending.clear();
    failures.clear();
    inputs.clear();
    named_inputs.clear();
    written_terms.clear();
    threads = 0;
    stopped = {};
    idle_turns.clear();
    round_trips.clear();
    unwanted = {};
    outcome = Outcome::kComplete;
    diverged_at = kNoEvent;
    diverged_from.reset();
  }
  bool operator==(const Execution&) const = default;
};

}  // namespace heddle::trace
