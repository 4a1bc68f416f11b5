// The pass tells the two values and how they should have been related, the message has the assertion's text. Which
// words stand for which value is found by that relation: the one part of the text, between `&&`s, that has it between
// its sides. If there are two such parts, or none, nothing is said.
#include "native/supervisor/assertion_sides.h"

#include <cctype>
#include <optional>
#include <utility>
#include <vector>

#include "native/supervisor/scalar_text.h"

namespace heddle::supervisor {

using protocol::Relation;
namespace {

// "assertion balance == 200 failed"
std::string condition_in(const std::string& message) {
  constexpr std::string_view kBegin = "assertion ", kEnd = " failed";
  if (!message.starts_with(kBegin) || !message.ends_with(kEnd)) return {};
  return message.substr(kBegin.size(), message.size() - kBegin.size() - kEnd.size());
}

std::string trimmed(std::string text) {
  while (!text.empty() && text.front() == ' ') text.erase(0, 1);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

// Where operators stand that are in no brackets and no quotes, by their own text.
class Operators {
 public:
  explicit Operators(const std::string& text) {
    static constexpr std::string_view kKnown[] = {"<<=", ">>=", "<=>", "->", "<<", ">>", "&&",
                                                  "||",  "==",  "!=",  "<=", ">=", "<",  ">"};
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '"' || c == '\'') {
        while (++i < text.size() && text[i] != c)
          if (text[i] == '\\') ++i;
        continue;
      }
      if (c == '(' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == ']' || c == '}') --depth;
      if (depth > 0) continue;
      for (const std::string_view known : kKnown)
        if (text.compare(i, known.size(), known) == 0) {
          all.emplace_back(known, i);
          i += known.size() - 1;
          break;
        }
    }
  }
  std::vector<std::pair<std::string_view, std::size_t>> all;
};

const char* sign_of(Relation relation) {
  switch (relation) {
    case Relation::kEqual:
      return "==";
    case Relation::kNotEqual:
      return "!=";
    case Relation::kLess:
      return "<";
    case Relation::kLessOrEqual:
      return "<=";
    case Relation::kGreater:
      return ">";
    case Relation::kGreaterOrEqual:
      return ">=";
  }
  return "";
}

std::string without_outer_brackets(std::string text) {
  for (;;) {
    text = trimmed(std::move(text));
    if (text.size() < 2 || text.front() != '(' || text.back() != ')') return text;
    int depth = 0;
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
      if (text[i] == '(') ++depth;
      if (text[i] == ')' && --depth == 0) return text;  // (a) == (b)
    }
    text = text.substr(1, text.size() - 2);
  }
}

// The two sides of the one comparison of this kind.
std::optional<std::pair<std::string, std::string>> sides_in(const std::string& condition, Relation relation) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (const auto& [sign, at] : Operators(condition).all) {
    if (sign == "||") return std::nullopt;
    if (sign != "&&") continue;
    parts.push_back(condition.substr(begin, at - begin));
    begin = at + 2;
  }
  parts.push_back(condition.substr(begin));
  std::optional<std::pair<std::string, std::string>> found;
  for (const std::string& part : parts) {
    const std::string text = without_outer_brackets(part);
    const Operators operators(text);
    std::size_t at = text.npos, times = 0;
    for (const auto& [sign, place] : operators.all) {
      if (sign != sign_of(relation)) continue;
      at = place;
      ++times;
    }
    if (times == 0) continue;
    if (times > 1 || found) return std::nullopt;
    found = {trimmed(text.substr(0, at)), trimmed(text.substr(at + std::string_view(sign_of(relation)).size()))};
  }
  return found;
}

std::string value_of(const protocol::Compared& compared, std::uint64_t value) {
  static constexpr Scalar::Kind kKinds[] = {Scalar::Kind::kSigned, Scalar::Kind::kUnsigned, Scalar::Kind::kFloat,
                                            Scalar::Kind::kPointer};
  return scalar_text({kKinds[static_cast<std::size_t>(compared.kind)], (compared.bits + 7) / 8}, value);
}

}  // namespace

std::string assertion_sides(const protocol::Compared& compared, const std::string& message) {
  if (compared.bits == 0) return {};
  const auto sides = sides_in(condition_in(message), compared.relation);
  if (!sides) return {};
  std::string text;
  const auto side = [&](const std::string& name, std::uint64_t value, bool constant) {
    if (!constant && !name.empty()) text += (text.empty() ? "" : ", ") + name + " is " + value_of(compared, value);
  };
  side(sides->first, compared.left, compared.left_constant);
  side(sides->second, compared.right, compared.right_constant);
  return text;
}

}  // namespace heddle::supervisor
