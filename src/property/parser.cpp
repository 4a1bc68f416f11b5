// Recursive descent that makes terms as it goes. The text may be hostile: its length and the nesting are bounded, and
// nothing is thrown, so that it can be read inside a program under test as well; longer than most: a function for each
// rule of one grammar, which call each other.
#include "property/parser.h"

#include <algorithm>
#include <array>

#include "base/spelling.h"

namespace heddle::property {
namespace {

using symbolic::TermId;
using symbolic::TermKind;

constexpr std::size_t kMostCharacters = 4096;
constexpr int kMostNesting = 100;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

enum class Operator : std::uint8_t {
  kOr,
  kAnd,
  kBitOr,
  kBitXor,
  kBitAnd,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kShiftLeft,
  kShiftRight,
  kAdd,
  kSub,
  kMul,
  kDiv,
  kMod,
};
struct OperatorRow {
  std::string_view symbol;
  int precedence;  // higher binds tighter
  Operator op;
};
// Longer symbols first.
constexpr std::array<OperatorRow, 18> kOperators = {{
    {"||", 1, Operator::kOr},
    {"&&", 2, Operator::kAnd},
    {"==", 6, Operator::kEqual},
    {"!=", 6, Operator::kNotEqual},
    {"<=", 7, Operator::kLessEqual},
    {">=", 7, Operator::kGreaterEqual},
    {"<<", 8, Operator::kShiftLeft},
    {">>", 8, Operator::kShiftRight},
    {"|", 3, Operator::kBitOr},
    {"^", 4, Operator::kBitXor},
    {"&", 5, Operator::kBitAnd},
    {"<", 7, Operator::kLess},
    {">", 7, Operator::kGreater},
    {"+", 9, Operator::kAdd},
    {"-", 9, Operator::kSub},
    {"*", 10, Operator::kMul},
    {"/", 10, Operator::kDiv},
    {"%", 10, Operator::kMod},
}};

constexpr std::array<std::string_view, 6> kFunctions = {"at", "deadlock", "ended", "held_by", "in", "locked"};

struct Value {
  TermId term;
  Type type;
};
constexpr Type kTruth{1, false};
constexpr Type kInt{32, true};

class Parser {
 public:
  Parser(std::string_view text, const Names& names, Expression& out) : text_(text), names_(names), out_(out) {}

  Parsed run() {
    if (text_.size() > kMostCharacters) complain(0, "the property has more than 4096 characters; split it");
    const Value value = conditional();
    skip_blanks();
    if (!failed_ && at_ < text_.size()) {
      if (text_[at_] == '=')
        complain(at_, "a property changes nothing; compare with ==");
      else
        complain(at_, "expected an operator, found " + found());
    }
    Parsed parsed;
    parsed.ok = !failed_;
    parsed.complaint = complaint_;
    if (parsed.ok) parsed.condition = truth_of(value);
    return parsed;
  }

 private:
  // --- text ---

  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  bool accept(std::string_view symbol) {
    skip_blanks();
    if (text_.substr(at_, symbol.size()) != symbol) return false;
    at_ += symbol.size();
    return true;
  }
  std::string found() const {
    if (at_ >= text_.size()) return "the end";
    const auto c = static_cast<unsigned char>(text_[at_]);
    return c >= 32 && c < 127 ? std::string("'") + text_[at_] + "'" : "a byte that is not printable ASCII";
  }
  void complain(std::size_t at, std::string message) {
    if (failed_) return;
    failed_ = true;
    complaint_ = {std::min(at, text_.size()), std::move(message)};
  }
  void expect(std::string_view symbol) {
    if (!failed_ && !accept(symbol)) complain(at_, "expected '" + std::string(symbol) + "', found " + found());
  }

  // --- values ---

  symbolic::TermStore& terms() { return out_.terms; }
  Value nothing() { return {terms().truth(false), kTruth}; }
  Value truth(TermId condition) { return {condition, kTruth}; }
  Value number(std::uint64_t value, Type type) { return {terms().constant(type.bits, value), type}; }
  TermId truth_of(const Value& v) { return v.type == kTruth ? v.term : terms().nonzero(v.term); }

  // As C converts: narrow ones to int, then to the wider of the two, and to the unsigned of two that are equally wide.
  Type promoted(Type t) const { return t.bits < 32 ? kInt : t; }
  Type common(Type a, Type b) const {
    a = promoted(a);
    b = promoted(b);
    if (a.bits != b.bits) return a.bits > b.bits ? a : b;
    return {a.bits, a.is_signed && b.is_signed};
  }
  TermId converted(const Value& v, Type to) {
    if (v.type.bits >= to.bits) return v.type.bits == to.bits ? v.term : terms().extract(v.term, 0, to.bits);
    return terms().extend(v.type.is_signed ? TermKind::kSext : TermKind::kZext, v.term, to.bits);
  }

  Value compared(Operator op, const Value& left, const Value& right) {
    const Type type = common(left.type, right.type);
    const TermId a = converted(left, type), b = converted(right, type);
    const TermKind less = type.is_signed ? TermKind::kSlt : TermKind::kUlt;
    const TermKind no_more = type.is_signed ? TermKind::kSle : TermKind::kUle;
    switch (op) {
      case Operator::kEqual:
        return truth(terms().make(TermKind::kEq, a, b));
      case Operator::kNotEqual:
        return truth(terms().negation(terms().make(TermKind::kEq, a, b)));
      case Operator::kLess:
        return truth(terms().make(less, a, b));
      case Operator::kGreater:
        return truth(terms().make(less, b, a));
      case Operator::kLessEqual:
        return truth(terms().make(no_more, a, b));
      default:
        return truth(terms().make(no_more, b, a));
    }
  }

  // The count is taken modulo the width, as processors do.
  Value shifted(Operator op, const Value& left, const Value& right) {
    const Type type = promoted(left.type);
    const TermId count = terms().make(TermKind::kAnd, converted({right.term, right.type}, type),
                                      terms().constant(type.bits, type.bits - 1u));
    const TermKind right_shift = type.is_signed ? TermKind::kAshr : TermKind::kLshr;
    return {terms().make(op == Operator::kShiftLeft ? TermKind::kShl : right_shift, converted(left, type), count),
            type};
  }

  TermKind arithmetic(Operator op, bool is_signed) const {
    switch (op) {
      case Operator::kBitOr:
        return TermKind::kOr;
      case Operator::kBitXor:
        return TermKind::kXor;
      case Operator::kBitAnd:
        return TermKind::kAnd;
      case Operator::kSub:
        return TermKind::kSub;
      case Operator::kMul:
        return TermKind::kMul;
      case Operator::kDiv:
        return is_signed ? TermKind::kSdiv : TermKind::kUdiv;
      case Operator::kMod:
        return is_signed ? TermKind::kSrem : TermKind::kUrem;
      default:
        return TermKind::kAdd;
    }
  }

  Value combined(Operator op, const Value& left, const Value& right) {
    if (op == Operator::kAnd) return truth(terms().make(TermKind::kAnd, truth_of(left), truth_of(right)));
    if (op == Operator::kOr) return truth(terms().make(TermKind::kOr, truth_of(left), truth_of(right)));
    if (op >= Operator::kEqual && op <= Operator::kGreaterEqual) return compared(op, left, right);
    if (op == Operator::kShiftLeft || op == Operator::kShiftRight) return shifted(op, left, right);
    const Type type = common(left.type, right.type);
    return {terms().make(arithmetic(op, type.is_signed), converted(left, type), converted(right, type)), type};
  }

  // --- expressions ---

  Value conditional() {
    if (++nesting_ > kMostNesting) complain(at_, "nested too deeply; split the property");
    Value value = binary(1);
    if (accept("?")) {
      const Value yes = conditional();
      expect(":");
      const Value no = conditional();
      const Type type = yes.type == no.type ? yes.type : common(yes.type, no.type);
      if (!failed_) value = {terms().ite(truth_of(value), converted(yes, type), converted(no, type)), type};
    }
    --nesting_;
    return value;
  }

  const OperatorRow* operator_here() {
    skip_blanks();
    if (changes_here()) return nullptr;
    for (const OperatorRow& row : kOperators)
      if (text_.substr(at_, row.symbol.size()) == row.symbol) return &row;
    return nullptr;
  }

  // ++ and --, which C does not read as two signs either.
  bool changes_here() {
    const std::string_view symbol = text_.substr(at_, 2);
    if (symbol != "++" && symbol != "--") return false;
    complain(at_, "a property changes nothing; leave out " + std::string(symbol) + ", or write the signs apart");
    return true;
  }

  Value binary(int lowest) {
    Value left = unary();
    while (!failed_) {
      const OperatorRow* row = operator_here();
      if (row == nullptr || row->precedence < lowest) break;
      at_ += row->symbol.size();
      const Value right = binary(row->precedence + 1);
      if (!failed_) left = combined(row->op, left, right);
    }
    return left;
  }

  Value unary() {
    if (failed_) return nothing();
    if (++nesting_ > kMostNesting) complain(at_, "nested too deeply; split the property");
    Value value = nothing();
    skip_blanks();
    if (changes_here()) return nothing();
    if (accept("!")) {
      const Value operand = unary();
      value = truth(terms().negation(truth_of(operand)));
    } else if (accept("-") || accept("~") || accept("+")) {
      const char sign = text_[at_ - 1];
      const Value operand = unary();
      const Type type = promoted(operand.type);
      const TermId t = converted(operand, type);
      value = {sign == '+' ? t : terms().make(sign == '-' ? TermKind::kNeg : TermKind::kNot, t), type};
    } else {
      value = primary();
    }
    --nesting_;
    return value;
  }

  Value primary() {
    skip_blanks();
    if (failed_) return nothing();
    if (accept("(")) {
      const Value value = conditional();
      expect(")");
      return value;
    }
    const char c = at_ < text_.size() ? text_[at_] : '\0';
    if (is_digit(c)) return literal();
    if (c == '\'') return character();
    if (is_letter(c)) return named();
    const bool operator_before = at_ > 0 && text_[at_ - 1] == '&';  // one too many: a &&& b
    const bool follows = c == '*' || (c == '&' && !operator_before && !text_.substr(at_).starts_with("&&"));
    complain(at_, follows ? kNotFollowed : "expected a value, found " + found());
    return nothing();
  }

  // As C has it: the first of int, long and their unsigned kin that holds it.
  Value literal() {
    const std::size_t begin = at_;
    const bool hex = text_.substr(at_, 2) == "0x" || text_.substr(at_, 2) == "0X";
    if (hex) at_ += 2;
    const bool octal = !hex && text_[at_] == '0';
    const unsigned base = hex ? 16 : octal ? 8 : 10;
    unsigned __int128 value = 0;
    std::size_t digits = 0;
    for (; at_ < text_.size(); ++at_, ++digits) {
      const char c = text_[at_], lower = static_cast<char>(c | 0x20);
      const int digit = is_digit(c) ? c - '0' : hex && lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
      if (digit < 0) break;
      if (static_cast<unsigned>(digit) >= base) complain(begin, "malformed number; 0 before it makes it octal");
      value = value * base + static_cast<unsigned>(digit);
      if (value >> 64 != 0) complain(begin, "this number does not fit into 64 bits");
    }
    bool is_unsigned = false, is_long = false;
    for (; at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_])); ++at_) {
      const char lower = static_cast<char>(text_[at_] | 0x20);
      if (lower == 'u')
        is_unsigned = true;
      else if (lower == 'l')
        is_long = true;
      else
        complain(begin, "malformed number; write 42 or 0x2a");
    }
    if (digits == 0) complain(begin, "malformed number; write 42 or 0x2a");
    if (failed_) return nothing();
    Type type = kInt;
    if (is_long || value >> (is_unsigned || hex || octal ? 32 : 31) != 0) type.bits = 64;
    type.is_signed = !is_unsigned && value >> (type.bits - 1) == 0;
    return number(static_cast<std::uint64_t>(value), type);
  }

  Value character() {
    const std::size_t begin = at_++;
    const bool escaped = at_ < text_.size() && text_[at_] == '\\';
    if (escaped) ++at_;
    char c = at_ < text_.size() ? text_[at_++] : '\0';
    if (escaped) c = c == 'n' ? '\n' : c == 't' ? '\t' : c == '0' ? '\0' : c;
    if (at_ >= text_.size() || text_[at_] != '\'') complain(begin, "this character has no end; close it with '");
    if (failed_) return nothing();
    ++at_;
    return number(static_cast<std::uint32_t>(static_cast<signed char>(c)), kInt);
  }

  // --- names ---

  // A name as traces show it: ns::table[3].next->count, worker(int)::calls
  std::string_view name() {
    const std::size_t begin = at_;
    const auto word = [&] {
      while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    };
    word();
    for (;;) {
      const std::string_view rest = text_.substr(at_);
      const auto is_word_at = [&](std::size_t i) { return i < rest.size() && is_letter(rest[i]); };
      if (rest.starts_with("::") && is_word_at(2))
        at_ += 2;
      else if (rest.starts_with("->") && is_word_at(2))
        at_ += 2;
      else if (rest.starts_with(".") && is_word_at(1))
        at_ += 1;
      else if (const std::size_t scope = rest.find(")::"); rest.starts_with("(") && scope != rest.npos &&
                                                           rest.find_first_of("()", 1) >= scope &&
                                                           is_word_at(scope + 3))
        at_ += scope + 3;
      else if (const std::size_t end = rest.find_first_not_of("0123456789", 1);
               rest.starts_with("[") && end != rest.npos && end > 1 && rest[end] == ']') {
        at_ += end + 1;
        continue;
      } else
        break;
      word();
    }
    return text_.substr(begin, at_ - begin);
  }

  Value named() {
    const std::size_t begin = at_;
    const std::string_view word = name();
    if (word == "true" || word == "false") return truth(terms().truth(word == "true"));
    const bool called = (skip_blanks(), at_ < text_.size() && text_[at_] == '(');
    if (word == "deadlock" && !called) return atom({.kind = AtomKind::kDeadlock, .text = "deadlock", .places = {}});
    if (called) return call(begin, word);
    if (const auto value = names_.constant(word)) return number(static_cast<std::uint64_t>(*value), kInt);
    const auto variable = names_.variable(word);
    if (!variable) return unknown(begin, word, NameKind::kVariable);
    return atom({.text = std::string(word),
                 .type = variable->type,
                 .object = variable->object,
                 .initial = variable->initial,
                 .places = {}});
  }

  // What stands up to the next comma or bracket outside brackets, without blanks around it.
  std::string_view argument(std::size_t& begin) {
    skip_blanks();
    begin = at_;
    int open = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (open == 0 && (c == ',' || c == ')')) break;
      open += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    }
    std::size_t end = at_;
    while (end > begin && is_blank(text_[end - 1])) --end;
    if (end == begin) complain(begin, "expected a name, found " + found());
    return text_.substr(begin, end - begin);
  }

  Value call(std::size_t begin, std::string_view function) {
    if (function == "deadlock") complain(begin, "deadlock is no function; leave out the brackets");
    if (std::find(kFunctions.begin(), kFunctions.end(), function) == kFunctions.end()) {
      const std::string_view meant = nearest(function, {kFunctions.begin(), kFunctions.end()});
      complain(begin, "there is no function '" + std::string(function) + "'" +
                          (meant.empty() ? "; there are in, at, locked, held_by and ended"
                                         : "; did you mean '" + std::string(meant) + "'?"));
      return nothing();
    }
    expect("(");
    Atom a;
    std::size_t first = 0, second = 0;
    const std::string_view one = argument(first);
    std::string_view two;
    const bool takes_two = function == "in" || function == "at" || function == "held_by";
    if (takes_two) {
      expect(",");
      two = argument(second);
    }
    expect(")");
    if (failed_) return nothing();
    a.text = std::string(text_.substr(begin, at_ - begin));
    if (function == "locked" || function == "held_by") {
      a.kind = function == "locked" ? AtomKind::kLocked : AtomKind::kHeldBy;
      const auto lock = names_.lock(one);
      if (!lock) return unknown(first, one, NameKind::kLock);
      a.object = *lock;
      if (takes_two && !set_thread(second, two, a)) return nothing();
      return atom(std::move(a));
    }
    if (!set_thread(first, one, a)) return nothing();
    a.kind = function == "ended" ? AtomKind::kEnded : AtomKind::kAt;
    if (function == "in") {
      NamedPlace place = names_.line(two);
      if (!place.complaint.empty()) complain(second, place.complaint);
      a.places = std::move(place.places);
    } else if (function == "at") {
      auto places = names_.label(two);
      if (!places) return unknown(second, two, NameKind::kLabel);
      a.places = std::move(*places);
    }
    return atom(std::move(a));
  }

  bool set_thread(std::size_t at, std::string_view name, Atom& a) {
    const auto thread = names_.thread(name);
    if (!thread) {
      unknown(at, name, NameKind::kThread);
      return false;
    }
    a.thread = thread->thread;
    a.from_start = thread->from_start;
    return true;
  }

  Value unknown(std::size_t at, std::string_view name, NameKind kind) {
    constexpr std::array<std::string_view, 4> kWords = {"shared variable", "lock", "thread", "label"};
    const std::string what(kWords[static_cast<std::size_t>(kind)]);
    std::string reason = names_.complaint(kind, name);
    if (text_.substr(at_).starts_with("of ")) reason = kNotFollowed;  // (Node of list.cpp:5).hits
    if (const auto other = kind_of(name); reason.empty() && other)
      reason = "'" + std::string(name) + "' is a " + std::string(kWords[static_cast<std::size_t>(*other)]) +
               ", not a " + what;
    if (!reason.empty()) {
      complain(at, std::move(reason));
      return nothing();
    }
    const std::vector<std::string> known = names_.known(kind, name);
    const std::string_view meant = nearest(name, {known.begin(), known.end()});
    std::string message = "there is no " + what + " '" + std::string(name) + "'";
    if (!meant.empty()) {
      message += "; did you mean '" + std::string(meant) + "'?";
    } else if (known.empty()) {
      message += "; there is none at all";
    } else {
      constexpr std::size_t kShown = 8;
      for (std::size_t i = 0; i < std::min(kShown, known.size()); ++i)
        message += (i == 0 ? "; there are " : ", ") + known[i];
      if (known.size() > kShown) message += ", ...";
    }
    complain(at, std::move(message));
    return nothing();
  }

  std::optional<NameKind> kind_of(std::string_view name) const {
    if (names_.lock(name)) return NameKind::kLock;
    if (names_.thread(name)) return NameKind::kThread;
    if (names_.label(name)) return NameKind::kLabel;
    return names_.variable(name) ? std::optional(NameKind::kVariable) : std::nullopt;
  }

  // The same atom is the same input.
  Value atom(Atom a) {
    if (failed_) return nothing();
    for (std::size_t i = 0; i < out_.atoms.size(); ++i) {
      const Atom& b = out_.atoms[i];
      if (a.kind == b.kind && a.object == b.object && a.thread == b.thread && a.places == b.places && a.type == b.type)
        return {terms().input_term(i), a.type};
    }
    const TermId term = terms().input(a.type.bits, std::to_string(out_.atoms.size()));
    const Value value{term, a.type};
    out_.atoms.push_back(std::move(a));
    return value;
  }

  std::string_view text_;
  const Names& names_;
  Expression& out_;
  std::size_t at_ = 0;
  int nesting_ = 0;
  bool failed_ = false;
  ParseComplaint complaint_;
};

}  // namespace

Parsed parse(std::string_view text, const Names& names, Expression& expression) {
  return Parser(text, names, expression).run();
}

std::string show(std::string_view text, const ParseComplaint& complaint) {
  constexpr std::size_t kBefore = 70, kAfter = 30;  // shown around the place
  const std::size_t first = complaint.at > kBefore ? complaint.at - kBefore : 0;
  std::string shown, below;
  for (std::size_t i = first; i < std::min(text.size(), complaint.at + kAfter); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    shown += c >= 32 && c != 127 ? text[i] : is_blank(text[i]) ? ' ' : '?';
    if (i < complaint.at) below += ' ';
  }
  return complaint.message + "\n  " + shown + "\n  " + below + "^";
}

}  // namespace heddle::property
