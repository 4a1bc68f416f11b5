// A stand-in for the runtime: performs what the ABI asks and counts the calls by name, so that a test can say
// exactly which callbacks a piece of code has.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace log_stub {

std::map<std::string, int>& calls();
// Calls of `name` while `body` runs.
std::map<std::string, int> during(void (*body)());
// What was handed over at each turn of a loop in that time, as a hash.
std::vector<std::uint64_t>& turns();

}  // namespace log_stub
