// The parts of the page, embedded by page/embed.cmake.
#pragma once

#include <string_view>

namespace heddle::report {

extern const std::string_view kPageFrame;  // HTML with @TITLE@, @STYLE@, @FALLBACK@, @DATA@ and @SCRIPT@
extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;

}  // namespace heddle::report
