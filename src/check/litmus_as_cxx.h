// Litmus tests as C++ programs: the oracle of native programs under memory models.
#pragma once

#include <string>

#include "check/litmus.h"

namespace heddle::check {

// A HEDDLE_TEST called `name`. Threads are joined by the test, so it has the graphs of the litmus test. Locations are
// of all sizes in turn, beginning with `size`: 0 to 4 for 1 to 16 bytes.
std::string to_cxx(const Litmus& litmus, const std::string& name, std::size_t size = 2);
// What is in front of all of them.
std::string litmus_prelude();

// Would it mean something else there? A thread that takes a lock that it holds is a finding; threads that join each
// other leave none to the test to join.
bool is_strange_in_cxx(const Litmus& litmus);

}  // namespace heddle::check
