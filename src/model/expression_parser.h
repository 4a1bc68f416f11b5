// The tokens of a model one after the other, and the expressions among them; declarations and statements are the
// parser's (parser.cpp), which is one of these. Everything throws a Complaint where the text does not fit.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/ast.h"
#include "model/lexer.h"

namespace heddle::model {

class ExpressionParser {
 protected:
  explicit ExpressionParser(std::string_view text) : tokens_(tokenize(text)) {}

  // What recurses while parsing is bounded by the life of one of these.
  class Nested {
   public:
    explicit Nested(ExpressionParser& parser);
    ~Nested() { --parser_.nesting_; }

   private:
    ExpressionParser& parser_;
  };

  // --- tokens ---

  const Token& peek() const { return tokens_[next_]; }
  const Token& peek_second() const { return tokens_[peek().kind == TokenKind::kEnd ? next_ : next_ + 1]; }
  const Token& last_taken() const { return tokens_[next_ - 1]; }
  const Token& take() { return tokens_[peek().kind == TokenKind::kEnd ? next_ : next_++]; }
  bool is(std::string_view text) const {
    return peek().text == text && (peek().kind == TokenKind::kSymbol || peek().kind == TokenKind::kKeyword);
  }
  bool accept(std::string_view text);
  void expect(std::string_view text);
  std::string_view expect_name();
  [[noreturn]] void unexpected(const std::string& wanted) const;

  // --- expressions ---

  ExprPtr expression();
  ExprPtr unary();
  ExprPtr number(std::int32_t value, Offset at) const;
  // += and its kind.
  static std::optional<Operator> compound_operator(std::string_view symbol);

 private:
  ExprPtr node(ExprKind kind, Offset at) const;
  void adopt(Expr& parent, ExprPtr child) const;
  ExprPtr binary(int lowest);
  ExprPtr primary();
  ExprPtr atomic_access(ExprPtr place);
  trace::MemoryOrder memory_order(std::string_view allowed);
  void arguments(Expr& call);

  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  int nesting_ = 0;
};

}  // namespace heddle::model
