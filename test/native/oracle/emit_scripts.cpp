// Prints random scripts as one C program and, as comments at its end, what exploring each of them as a model gives:
//
//   // truth: NAME classes=N deadlocked=N failed=N
//
// With `mixed`, scripts with inputs, assumptions and ends of the process, of which no model tells the truth. With
// `states`, programs in C++ about memory (check/state_script.h):
//
//   // truth: NAME findings=N races=0|1 stuck=0|1     (1: some accesses race; threads may wait for ever)
//
// With `barriers`, only scripts in which threads meet at a barrier.
//
// usage: emit_scripts FIRST_SEED COUNT [mixed | states | barriers]
#include <cstdlib>
#include <iostream>
#include <optional>

#include "check/random_script.h"
#include "check/script_as_c.h"
#include "check/script_program.h"
#include "check/state_script.h"
#include "explore/explorer.h"

using namespace heddle;

namespace {

void emit_mixed(std::uint64_t seed, int wanted) {
  std::string names;
  for (; wanted > 0; ++seed) {
    const check::Script script = seed % 4 == 0 ? check::random_assuming_script(seed) : check::random_mixed_script(seed);
    if (check::relocks(script)) continue;
    const std::string name = "s" + std::to_string(seed);
    std::cout << check::to_c(script, name);
    names += "// truth: " + name + "\n";
    --wanted;
  }
  std::cout << names;
}

void emit_states(std::uint64_t seed, int wanted) {
  constexpr std::size_t kMostStates = 60;
  std::string truths;
  std::cout << check::cxx_prelude();
  for (; wanted > 0; ++seed) {
    const check::StateScript script = check::random_state_script(seed);
    const auto ends = check::ends_of(script, kMostStates);
    // There should be something to miss; now and then one that never ends is enough.
    if (!ends || (ends->finals.size() + ends->stuck < 2 && (!ends->stuck || seed % 4 != 0))) continue;
    const std::string name = "s" + std::to_string(seed);
    std::cout << check::to_cxx(script, name, ends->finals);
    truths += "// truth: " + name + " findings=" + std::to_string(ends->finals.size()) +
              " races=" + (script.memory ? "1" : "0") + " stuck=" + (ends->stuck ? "1" : "0") + "\n";
    --wanted;
  }
  std::cout << truths;
}

check::Script any_script(std::uint64_t seed) {
  return seed % 4 == 3   ? check::random_large_script(seed)
         : seed % 4 == 1 ? check::random_synchronised_script(seed)
         : seed % 4 == 2 ? check::random_waiting_script(seed)
                         : check::random_script(seed);
}

// Nothing if it is too large, or there is nothing to tell.
std::optional<std::string> truth_of(check::Script script, bool barriers) {
  constexpr std::uint64_t kMostExecutions = 20000;
  if (check::relocks(script) || check::exits(script)) return std::nullopt;
  script.spurious = true;  // as programs are explored by default
  check::ScriptProgram program(script);
  if (barriers && program.users().size() < 2) return std::nullopt;
  explore::ExploreOptions options;
  options.strategy.algorithm = explore::Algorithm::kOptimalDpor;
  options.all = true;
  options.max_executions = kMostExecutions;
  // Who waits for ever in a loop is blocked in a script, and a livelock natively.
  std::uint64_t livelocked = 0;
  ThreadSet arrive;
  options.on_execution = [&](const trace::Execution& e) {
    for (const trace::Step& step : e.steps)
      if (trace::is_arrival(step.op.kind)) arrive.insert(step.thread);
    livelocked += e.outcome == trace::Outcome::kDeadlock && !e.idle_turns.empty();
  };
  auto result = explore::explore(program, options);
  if (!result || !result->exhausted() || (result->executions < 2 && arrive.size() < 2)) return std::nullopt;
  // A script knows who might arrive at the barrier, a program in C who does.
  if (program.more_than_needed() && arrive.size() <= script.needed) return std::nullopt;
  return "classes=" + std::to_string(result->classes) +
         " deadlocked=" + std::to_string(result->deadlocked - livelocked) +
         " failed=" + std::to_string(result->failed + livelocked);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    std::cerr << "usage: emit_scripts FIRST_SEED COUNT [mixed | states | barriers]\n";
    return 3;
  }
  std::uint64_t seed = std::strtoull(argv[1], nullptr, 10);
  const std::string kind = argc == 4 ? argv[3] : "";
  if (kind == "states") {
    emit_states(seed, std::atoi(argv[2]));
    return 0;
  }
  std::string truths;
  std::cout << check::c_prelude();
  if (kind == "mixed") {
    emit_mixed(seed, std::atoi(argv[2]));
    return 0;
  }
  const bool barriers = kind == "barriers";
  for (int wanted = std::atoi(argv[2]); wanted > 0; ++seed) {
    const check::Script script = barriers ? check::random_synchronised_script(seed) : any_script(seed);
    const auto truth = truth_of(script, barriers);
    if (!truth) continue;
    const std::string name = "s" + std::to_string(seed);
    std::cout << check::to_c(script, name);
    truths += "// truth: " + name + " " + *truth + "\n";
    --wanted;
  }
  std::cout << truths;
}
