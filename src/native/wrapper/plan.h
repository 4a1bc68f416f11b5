// The compiler commands that a wrapper invocation becomes.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "native/wrapper/invocation.h"
#include "native/wrapper/toolchain.h"

namespace heddle::wrapper {

using Command = std::vector<std::string>;

struct Plan {
  std::vector<Command> commands;             // in order; the first failure ends it
  std::vector<std::string> temporary_files;  // to be removed afterwards
};

// `scratch` is the prefix of temporary files, used only where compiling and linking have to be separated.
Result<Plan> make_plan(const Invocation& invocation, const Toolchain& toolchain, const Installation& installation,
                       const std::string& scratch);

}  // namespace heddle::wrapper
