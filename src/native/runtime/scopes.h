#pragma once

#include <cstdint>

#include "native/runtime/shadow.h"

namespace heddle::runtime {

// Does the scope of a variable end at this position (scopes.cpp)?
bool is_end_of_scope(std::uint32_t where);
// A lock, a condition variable, ... on a stack that the current thread has just used: the thread fails if another one
// has left its scope.
void check_scope(const Object& object, std::uint32_t where);

}  // namespace heddle::runtime
