#pragma once

#include "model/ast.h"

namespace heddle::model {

// Throws a Complaint. The tree points into `text`.
Tree parse(std::string_view text);

}  // namespace heddle::model
