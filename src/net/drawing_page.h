// A page around a drawing.
#pragma once

#include <string>

namespace heddle::net {

// `words`: what the drawing shows. It can be enlarged and moved about, and goes with light and dark colours.
std::string drawing_page(const std::string& title, const std::string& words, const std::string& svg);

}  // namespace heddle::net
