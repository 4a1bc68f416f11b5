// Did you mean ...?
#pragma once

#include <string_view>
#include <vector>

namespace heddle {

// The word of `known` that `word` was probably meant to be, or empty.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace heddle
