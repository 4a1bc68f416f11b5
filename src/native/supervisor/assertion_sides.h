// What the two sides of a failed assertion were.
#pragma once

#include <string>

#include "native/protocol/comparison_abi.h"

namespace heddle::supervisor {

// "balance is 100", "a is 3, b is 4"; empty if it cannot be told which part of the text was compared.
std::string assertion_sides(const protocol::Compared& compared, const std::string& message);

}  // namespace heddle::supervisor
