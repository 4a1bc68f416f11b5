// Reads properties: C's expressions over the shared state of a program (docs/properties.md).
//
//   a + b > 200 && b < 100          shared variables, by the names that traces show
//   in(T1, pool.cpp:31)             a thread's next operation is on this line
//   at(first, critical)             ... in the statement with this label (models)
//   locked(m)  held_by(m, T1)  ended(T1)  deadlock
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "property/names.h"

namespace heddle::property {

// What is wrong, and where in the text.
struct ParseComplaint {
  std::size_t at = 0;
  std::string message;
};

struct Parsed {
  symbolic::TermId condition;  // of one bit
  bool ok = false;
  ParseComplaint complaint;  // if not
};

// Adds the atoms and terms of `text` to `expression`.
Parsed parse(std::string_view text, const Names& names, Expression& expression);

// "message", the text, and a caret below the place.
std::string show(std::string_view text, const ParseComplaint& complaint);

}  // namespace heddle::property
