// Texts made from the table of commands and the table of options, besides --help itself; and the version.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace heddle::cli {

// A page for man(1), in man(7) format; of the whole program if `command` is empty.
Result<std::string> manual_page(std::string_view command);

// A completion script. An error if there is none for this shell.
Result<std::string> completion_script(std::string_view shell);

// Heddle's version, and those of the parts it works with, a line each.
std::string version_text();

}  // namespace heddle::cli
