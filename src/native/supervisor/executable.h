// The file that will be the worker: is it one of ours, and which one is it.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace heddle::supervisor {

// What its tests are written with, if main runs them.
enum class TestFramework : std::uint8_t { kNone, kGoogleTest, kCatch2, kDoctest };

struct Executable {
  std::uint64_t identity = 0;  // of code and constants; debug information does not count
  TestFramework framework = TestFramework::kNone;
  bool has_tests = false;  // HEDDLE_TEST was used
};

// The bytes of a section; none if there is no such section.
std::string read_section(const std::string& path, const std::string& name);

// An error if the file was not linked by heddle-cc or heddle-c++.
Result<Executable> inspect_executable(const std::string& path);

}  // namespace heddle::supervisor
