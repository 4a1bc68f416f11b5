#pragma once

#include <cstdint>

namespace heddle::native {

// Does the scope of a variable end at this position (scopes.cpp)?
bool is_end_of_scope(std::uint32_t where);

}  // namespace heddle::native
