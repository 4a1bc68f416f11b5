// `heddle --version`: what somebody who reports a problem is asked for.
#include <fmt/core.h>

#include "cli/help.h"
#include "native/supervisor/build.h"
#include "symbolic/solver.h"

namespace heddle::cli {

std::string version_text() {
  auto compiler = supervisor::compiler_version();
  return fmt::format("heddle " HEDDLE_VERSION
                     "\n"
                     "  compiler  {}\n"
                     "  pass      for LLVM " HEDDLE_LLVM_VERSION
                     "\n"
                     "  solvers   CaDiCaL {}, Z3 {}\n"
                     "  threads   {} at once in a program under test\n"
                     "  built by  {} {}\n",
                     compiler ? *compiler : "none: " + compiler.error().message, symbolic::cadical_version(),
                     symbolic::z3_version(), HEDDLE_MAX_THREADS,
#ifdef __clang__
                     "clang",
#else
                     "g++",
#endif
                     __VERSION__);
}

}  // namespace heddle::cli
