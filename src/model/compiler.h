#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "model/ast.h"
#include "model/code.h"

namespace heddle::model {

// Values for constants from outside (-D name=value).
using Defines = std::map<std::string, std::int64_t>;

// Throws a Complaint. `text` is what the tree points into.
Code compile(const Tree& tree, std::string_view text, const Defines& defines);

}  // namespace heddle::model
