// Text as Graphviz has it.
#pragma once

#include <string>

namespace heddle::net {

inline std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

}  // namespace heddle::net
