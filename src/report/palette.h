// Colours, or none.
#pragma once

#include <string>
#include <string_view>

namespace heddle::report {

enum class Ink { kBad, kGood, kUnsure, kDim, kStrong };

inline std::string paint(std::string_view text, Ink ink, bool color) {
  if (!color) return std::string(text);
  const char* code = "";
  switch (ink) {
    case Ink::kBad:
      code = "1;31";
      break;
    case Ink::kGood:
      code = "1;32";
      break;
    case Ink::kUnsure:
      code = "1;33";
      break;
    case Ink::kDim:
      code = "2";
      break;
    case Ink::kStrong:
      code = "1";
      break;
  }
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

}  // namespace heddle::report
