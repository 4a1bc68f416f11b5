#pragma once

#include <string>
#include <vector>

namespace heddle::runtime {

// Tests registered with HEDDLE_TEST, in order of registration.
const std::vector<std::string> test_names();
void (*test_named(const std::string& name))();

}  // namespace heddle::runtime
