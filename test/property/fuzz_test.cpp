// Hostile texts: whatever the bytes, a property is read or refused with a place inside the text.
#include <gtest/gtest.h>

#include "base/random.h"
#include "known_names.h"
#include "property/parser.h"

namespace heddle::property {
namespace {

bool survive(const std::string& text) {
  Expression expression;
  const Parsed parsed = parse(text, KnownNames(), expression);
  if (!parsed.ok) {
    EXPECT_LE(parsed.complaint.at, text.size());
    EXPECT_FALSE(parsed.complaint.message.empty());
    EXPECT_NE(show(text, parsed.complaint).find('^'), std::string::npos);
    return false;
  }
  EXPECT_EQ(expression.terms.width(parsed.condition), 1u);
  expression.terms.evaluate(parsed.condition, symbolic::Assignment(expression.atoms.size(), 5));
  return true;
}

TEST(PropertyFuzz, random_bytes) {
  Random random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (std::uint64_t k = random.below(80); k > 0; --k) text += static_cast<char>(random.next());
    survive(text);
  }
}

TEST(PropertyFuzz, token_soup) {
  const char* soup[] = {"x",
                        "u",
                        "small",
                        "wide",
                        "table[3].next",
                        "limit",
                        "in(main, 31)",
                        "in(",
                        "at(main, critical)",
                        "locked(m)",
                        "held_by(m, main)",
                        "ended(main)",
                        "deadlock",
                        "0",
                        "1",
                        "0x",
                        "9999999999",
                        "'a'",
                        "'",
                        "(",
                        ")",
                        "(",
                        ")",
                        "+",
                        "-",
                        "*",
                        "/",
                        "%",
                        "<<",
                        ">>",
                        "&",
                        "|",
                        "^",
                        "~",
                        "!",
                        "&&",
                        "||",
                        "?",
                        ":",
                        "==",
                        "!=",
                        "<",
                        ">=",
                        "=",
                        ",",
                        ".",
                        "[",
                        "]"};
  Random random(2);
  int read = 0;
  for (int i = 0; i < 50'000; ++i) {
    std::string text;
    for (std::uint64_t k = 1 + random.below(12); k > 0; --k)
      text += std::string(soup[random.below(std::size(soup))]) + " ";
    read += survive(text);
  }
  EXPECT_GT(read, 500);
}

}  // namespace
}  // namespace heddle::property
