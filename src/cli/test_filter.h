// Which tests a filter means, in GoogleTest's words: patterns with * and ?, separated by colons; those after a minus
// are left out.
#pragma once

#include <string_view>

namespace heddle::cli {

bool matches_filter(std::string_view test, std::string_view filter);

}  // namespace heddle::cli
