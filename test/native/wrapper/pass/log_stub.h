// A stand-in for the runtime: performs what the ABI asks and counts the calls by name, so that a test can say
// exactly which callbacks a piece of code has.
#pragma once

#include <map>
#include <string>

namespace log_stub {

std::map<std::string, int>& calls();
// Calls of `name` while `body` runs.
std::map<std::string, int> during(void (*body)());

}  // namespace log_stub
