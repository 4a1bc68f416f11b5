// Prints random scripts as one C program and, as comments at its end, what exploring each of them as a model gives:
//
//   // truth: NAME classes=N deadlocked=N failed=N
//
// usage: emit_scripts FIRST_SEED COUNT
#include <cstdlib>
#include <iostream>

#include "check/random_script.h"
#include "check/script_as_c.h"
#include "check/script_program.h"
#include "explore/explorer.h"

using namespace heddle;

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: emit_scripts FIRST_SEED COUNT\n";
    return 3;
  }
  constexpr std::uint64_t kMostExecutions = 20000;
  std::uint64_t seed = std::strtoull(argv[1], nullptr, 10);
  std::string truths;
  std::cout << check::c_prelude();
  for (int wanted = std::atoi(argv[2]); wanted > 0; ++seed) {
    check::Script script = seed % 4 == 3   ? check::random_large_script(seed)
                           : seed % 4 == 1 ? check::random_synchronised_script(seed)
                                           : check::random_script(seed);
    if (check::relocks(script) || check::exits(script)) continue;
    script.spurious = true;   // as programs are explored by default
    check::ScriptProgram program(script);
    explore::ExploreOptions options;
    options.strategy.algorithm = explore::Algorithm::kOptimalDpor;
    options.all = true;
    options.max_executions = kMostExecutions;
    auto result = explore::explore(program, options);
    if (!result || !result->exhausted || result->executions < 2) continue;
    const std::string name = "s" + std::to_string(seed);
    std::cout << check::to_c(script, name);
    truths += "// truth: " + name + " classes=" + std::to_string(result->classes) +
              " deadlocked=" + std::to_string(result->deadlocked) + " failed=" + std::to_string(result->failed) + "\n";
    --wanted;
  }
  std::cout << truths;
}
