// Arguments, environment variables and standard input that are inputs (--symbolic-args, --symbolic-env,
// --symbolic-stdin).
//
// Their bytes are inputs of the main thread, read before main begins and in a fixed order, so their names do not depend
// on who looks at them first: arg1[main,1], NAME[main,5], stdin[main,9]. Code with tracking that calls getenv, read,
// getchar, fgets, ... gets the bytes with their terms (the pass redirects these calls, tracked_calls.cpp). All other
// code reads standard input through a stream of ours, where each byte is taken as it is, with a note of the place.
#pragma once

#include <cstddef>

namespace heddle::runtime {

struct MainArguments {
  int argc;
  char** argv;
};

// At the beginning of every execution, by the main thread.
MainArguments give_program_inputs(int argc, char** argv);

}  // namespace heddle::runtime
