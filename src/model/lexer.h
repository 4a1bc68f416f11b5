// From text to tokens. Tokens point into the text, which outlives them.
#pragma once

#include <string_view>
#include <vector>

#include "model/source.h"

namespace heddle::model {

enum class TokenKind : std::uint8_t { kName, kKeyword, kNumber, kString, kSymbol, kEnd };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  Offset at = 0;
  std::string_view text;   // as written; a string with its quotes
  std::int32_t value = 0;  // kNumber
};

// Throws a Complaint. The last token is kEnd.
std::vector<Token> tokenize(std::string_view text);

// The value of a string token, escapes replaced.
std::string string_value(const Token& token);

}  // namespace heddle::model
