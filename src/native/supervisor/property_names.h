// What the names in properties of a native program stand for, by its debug information: global and static variables
// with their members and elements, locks, lines. And the invariants that are written in its source (HEDDLE_INVARIANT).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "native/protocol/messages.h"

namespace heddle::supervisor {

// The statements with those of the source, and all their names. `main_file`: whose lines are meant where none is named;
// may be empty.
Result<protocol::PropertyOptions> bind_properties(const std::string& executable, const std::string& main_file,
                                                  std::vector<property::Statement> statements);

}  // namespace heddle::supervisor
