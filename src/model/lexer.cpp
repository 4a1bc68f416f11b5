#include "model/lexer.h"

#include <algorithm>
#include <array>

namespace heddle::model {
namespace {

constexpr std::array<std::string_view, 31> kKeywords = {
    "assert", "assume",   "atomic_add", "break",     "broadcast", "cas",  "choose", "cond",
    "const",  "continue", "else",       "error",     "fence",     "for",  "func",   "if",
    "index",  "input",    "int",        "invariant", "join",      "lock", "return", "shared",
    "signal", "spawn",    "thread",     "try_lock",  "unlock",    "wait", "while"};

// Longest first, so that the first match is the longest.
constexpr std::array<std::string_view, 44> kSymbols = {
    "<<=", ">>=", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "++", "--", "+=", "-=", "*=",
    "/=",  "%=",  "&=", "|=", "^=", "+",  "-",  "*",  "/",  "%",  "<",  ">",  "=",  "!",  "~",
    "&",   "|",   "^",  "?",  ":",  ";",  ",",  "(",  ")",  "[",  "]",  "{",  "}",  "."};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    while (skip_blanks(), at_ < text_.size()) tokens.push_back(next());
    tokens.push_back({TokenKind::kEnd, here(), {}, 0});
    return tokens;
  }

 private:
  Offset here() const { return static_cast<Offset>(at_); }
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  [[noreturn]] void complain(Offset at, std::string message) const { throw Complaint{at, std::move(message)}; }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const char c = peek();
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        ++at_;
      } else if (c == '/' && peek(1) == '/') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '/' && peek(1) == '*') {
        const auto end = text_.find("*/", at_ + 2);
        if (end == text_.npos) complain(here(), "this comment has no end; close it with */");
        at_ = end + 2;
      } else {
        return;
      }
    }
  }

  Token next() {
    const char c = peek();
    if (is_letter(c)) return word();
    if (is_digit(c)) return number();
    if (c == '"') return string();
    for (const std::string_view symbol : kSymbols) {
      if (text_.substr(at_, symbol.size()) == symbol) return take(TokenKind::kSymbol, symbol.size());
    }
    complain(here(), c >= 32 && c < 127 ? std::string("the character '") + c + "' has no meaning here"
                                        : "a byte that is not printable ASCII, outside a comment or string");
  }

  Token take(TokenKind kind, std::size_t length) {
    Token token{kind, here(), text_.substr(at_, length), 0};
    at_ += length;
    return token;
  }

  Token word() {
    std::size_t length = 1;
    while (is_letter(peek(length)) || is_digit(peek(length))) ++length;
    const std::string_view text = text_.substr(at_, length);
    const bool keyword = std::find(kKeywords.begin(), kKeywords.end(), text) != kKeywords.end();
    return take(keyword ? TokenKind::kKeyword : TokenKind::kName, length);
  }

  // Decimal up to 2^31 (so that -2147483648 can be written), hexadecimal any 32 bits.
  Token number() {
    const bool hex = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
    const std::uint64_t limit = hex ? 0xffffffffu : 0x80000000u;
    std::size_t length = hex ? 2 : 0;
    std::uint64_t value = 0;
    for (;; ++length) {
      const char c = peek(length);
      const char lower = static_cast<char>(c | 0x20);
      if (is_digit(c)) {
        value = value * (hex ? 16 : 10) + static_cast<std::uint64_t>(c - '0');
      } else if (hex && lower >= 'a' && lower <= 'f') {
        value = value * 16 + static_cast<std::uint64_t>(lower - 'a' + 10);
      } else {
        break;
      }
      if (value > limit) complain(here(), "this number does not fit into 32 bits");
    }
    if ((hex && length == 2) || is_letter(peek(length))) complain(here(), "malformed number; write 42 or 0x2a");
    Token token = take(TokenKind::kNumber, length);
    token.value = static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
    return token;
  }

  Token string() {
    std::size_t length = 1;
    for (;; ++length) {
      const char c = peek(length);
      if (at_ + length >= text_.size() || c == '\n')
        complain(here(), "this string has no end on its line; close it with \"");
      if (c == '"') break;
      if (c == '\\' && peek(length + 1) != '\n') ++length;
    }
    return take(TokenKind::kString, length + 1);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text) { return Lexer(text).run(); }

std::string string_value(const Token& token) {
  std::string value;
  const std::string_view inner = token.text.substr(1, token.text.size() - 2);
  for (std::size_t i = 0; i < inner.size(); ++i) {
    if (inner[i] == '\\' && i + 1 < inner.size()) {
      ++i;
      value += inner[i] == 'n' ? '\n' : inner[i] == 't' ? '\t' : inner[i];
    } else {
      value += inner[i];
    }
  }
  return value;
}

}  // namespace heddle::model
