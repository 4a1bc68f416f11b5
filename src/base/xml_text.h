// Text as XML and HTML hold it, in an element or an attribute. What they cannot hold becomes U+FFFD.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

std::string xml_text(std::string_view text);

}  // namespace heddle
