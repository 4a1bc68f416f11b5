// Scripts as C programs: the oracle of the native front end.
#pragma once

#include <string>

#include "check/script.h"

namespace heddle::check {

// A HEDDLE_TEST called `name` with the same visible operations as the script, and with the same classes. Shared
// variables are accessed through READ(x) and WRITE(x, value), which c_prelude() defines: as atomics, or as plain
// accesses if PLAIN is defined, for exploration with --races=explore.
std::string to_c(const Script& script, const std::string& name);
std::string c_prelude();

// Does a thread take a lock that it holds? To a model it blocks for ever, to a C program that is a finding.
bool relocks(const Script& script);
// Can a thread end the program? Then classes are not the same: it may do so before others have been created, and where
// plain accesses of others are not visible, nobody tells how many of them came before the end.
bool exits(const Script& script);

}  // namespace heddle::check
