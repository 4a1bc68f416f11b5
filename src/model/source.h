// The text of a model and the places in it. A place is a byte offset, turned into line and column only when
// something is shown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace heddle::model {

using Offset = std::uint32_t;

struct Position {
  std::uint32_t line = 1;  // both count from 1
  std::uint32_t column = 1;
};

// `at` of a complaint about the whole file.
inline constexpr Offset kNoPlace = 0xffffffffu;

// What is wrong with a model, and where. Thrown by lexer, parser and compiler; it never leaves this folder
// (model_program.cpp turns it into an Error).
struct Complaint {
  Offset at;
  std::string message;
};

class Source {
 public:
  Source(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {}

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }

  Position position(Offset at) const;
  std::string_view line_at(Offset at) const;  // without its end
  std::string place(Offset at) const;         // "file:line:col"
  // "file:line:col: message", the line, and a caret below the column.
  Error error(const Complaint& complaint) const;

 private:
  std::string name_;
  std::string text_;
};

}  // namespace heddle::model
