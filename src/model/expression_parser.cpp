// Precedence climbing for binary operators, recursive descent for the rest; the grammar is in docs/model-language.md.
//
// Input may be hostile: nesting is bounded here (kMaxNesting for what recurses while parsing, kMaxHeight for
// chains like 1+1+1+... that only make the tree deep), so that neither parser nor any later recursion
// over the tree can run out of stack.
#include "model/expression_parser.h"

#include <algorithm>
#include <array>

namespace heddle::model {
namespace {

constexpr int kMaxNesting = 200;
constexpr std::uint32_t kMaxHeight = 500;

struct BinaryOperator {
  std::string_view symbol;
  int precedence;  // higher binds tighter
  ExprKind kind;
  Operator op;
};

constexpr std::array<BinaryOperator, 18> kBinaryOperators = {{
    {"||", 1, ExprKind::kOr, Operator::kAdd},
    {"&&", 2, ExprKind::kAnd, Operator::kAdd},
    {"|", 3, ExprKind::kBinary, Operator::kBitOr},
    {"^", 4, ExprKind::kBinary, Operator::kBitXor},
    {"&", 5, ExprKind::kBinary, Operator::kBitAnd},
    {"==", 6, ExprKind::kBinary, Operator::kEqual},
    {"!=", 6, ExprKind::kBinary, Operator::kNotEqual},
    {"<", 7, ExprKind::kBinary, Operator::kLess},
    {"<=", 7, ExprKind::kBinary, Operator::kLessEqual},
    {">", 7, ExprKind::kBinary, Operator::kGreater},
    {">=", 7, ExprKind::kBinary, Operator::kGreaterEqual},
    {"<<", 8, ExprKind::kBinary, Operator::kShiftLeft},
    {">>", 8, ExprKind::kBinary, Operator::kShiftRight},
    {"+", 9, ExprKind::kBinary, Operator::kAdd},
    {"-", 9, ExprKind::kBinary, Operator::kSub},
    {"*", 10, ExprKind::kBinary, Operator::kMul},
    {"/", 10, ExprKind::kBinary, Operator::kDiv},
    {"%", 10, ExprKind::kBinary, Operator::kMod},
}};

// Words that are called like functions.
constexpr std::array<std::string_view, 13> kBuiltInNames = {"assert",   "assume", "atomic_add", "broadcast", "cas",
                                                            "choose",   "error",  "input",      "lock",      "signal",
                                                            "try_lock", "unlock", "wait"};

// Accesses to shared variables that say their memory order, and which orders each may have. (The standard's, and
// `plain`, which is no atomic access at all.)
struct AtomicAccess {
  std::string_view name;
  std::size_t values;  // arguments before the order
  std::string_view orders;
};
constexpr std::string_view kUpdateOrders = "relaxed, acquire, release, acq_rel or seq_cst";
constexpr std::array<AtomicAccess, 5> kAtomicAccesses = {{
    {"load", 0, "plain, relaxed, acquire or seq_cst"},
    {"store", 1, "plain, relaxed, release or seq_cst"},
    {"exchange", 1, kUpdateOrders},
    {"fetch_add", 1, kUpdateOrders},
    {"compare_exchange", 2, kUpdateOrders},
}};
constexpr std::string_view kFailureOrders = "relaxed, acquire or seq_cst";
constexpr std::string_view kFenceOrders = "acquire, release, acq_rel or seq_cst";

}  // namespace

ExpressionParser::Nested::Nested(ExpressionParser& parser) : parser_(parser) {
  if (++parser.nesting_ > kMaxNesting)
    throw Complaint{parser.peek().at, "nested too deeply (more than " + std::to_string(kMaxNesting) +
                                          " levels); split it into functions"};
}

bool ExpressionParser::accept(std::string_view text) {
  if (!is(text)) return false;
  take();
  return true;
}

void ExpressionParser::unexpected(const std::string& wanted) const {
  const Token& t = peek();
  std::string found = t.kind == TokenKind::kEnd ? "the end of the file" : "'" + std::string(t.text.substr(0, 40)) + "'";
  if (t.kind == TokenKind::kKeyword && wanted == "a name") found += ", a word of the language";
  throw Complaint{t.at, "expected " + wanted + ", found " + found};
}

void ExpressionParser::expect(std::string_view text) {
  if (!accept(text)) unexpected("'" + std::string(text) + "'");
}

std::string_view ExpressionParser::expect_name() {
  if (peek().kind != TokenKind::kName) unexpected("a name");
  return take().text;
}

std::optional<Operator> ExpressionParser::compound_operator(std::string_view symbol) {
  if (symbol.size() < 2 || symbol.back() != '=') return std::nullopt;
  const std::string_view plain = symbol.substr(0, symbol.size() - 1);
  for (const BinaryOperator& b : kBinaryOperators)
    if (b.symbol == plain && b.kind == ExprKind::kBinary && b.precedence != 6 && b.precedence != 7) return b.op;
  return std::nullopt;
}

ExprPtr ExpressionParser::number(std::int32_t value, Offset at) const {
  auto e = std::make_unique<Expr>();
  e->at = at;
  e->value = value;
  return e;
}

ExprPtr ExpressionParser::node(ExprKind kind, Offset at) const {
  auto e = std::make_unique<Expr>();
  e->kind = kind;
  e->at = at;
  return e;
}

void ExpressionParser::adopt(Expr& parent, ExprPtr child) const {
  parent.height = std::max(parent.height, child->height + 1);
  if (parent.height > kMaxHeight)
    throw Complaint{parent.at, "this expression is too long (more than " + std::to_string(kMaxHeight) +
                                   " operators in a chain); split it"};
  parent.args.push_back(std::move(child));
}

ExprPtr ExpressionParser::expression() {
  const Nested nested(*this);
  ExprPtr condition = binary(1);
  if (!is("?")) return condition;
  auto e = node(ExprKind::kConditional, take().at);
  adopt(*e, std::move(condition));
  adopt(*e, expression());
  expect(":");
  adopt(*e, expression());
  return e;
}

ExprPtr ExpressionParser::binary(int lowest) {
  ExprPtr left = unary();
  for (;;) {
    const Token& t = peek();
    const auto* b = std::find_if(kBinaryOperators.begin(), kBinaryOperators.end(),
                                 [&](const auto& o) { return t.kind == TokenKind::kSymbol && o.symbol == t.text; });
    if (b == kBinaryOperators.end() || b->precedence < lowest) return left;
    take();
    auto e = node(b->kind, t.at);
    e->op = b->op;
    adopt(*e, std::move(left));
    adopt(*e, binary(b->precedence + 1));
    left = std::move(e);
  }
}

ExprPtr ExpressionParser::unary() {
  const Nested nested(*this);
  const Token& t = peek();
  if (!is("-") && !is("!") && !is("~") && !is("+")) return primary();
  take();
  if (t.text == "+") return unary();
  auto e = node(ExprKind::kUnary, t.at);
  e->op = t.text == "-" ? Operator::kNegate : t.text == "!" ? Operator::kNot : Operator::kComplement;
  adopt(*e, unary());
  return e;
}

ExprPtr ExpressionParser::primary() {
  const Token& t = peek();
  if (t.kind == TokenKind::kNumber) {
    take();
    return number(t.value, t.at);
  }
  if (t.kind == TokenKind::kString) {
    auto e = node(ExprKind::kString, t.at);
    e->text = string_value(take());
    return e;
  }
  if (accept("(")) {
    ExprPtr e = expression();
    expect(")");
    return e;
  }
  if (accept("index")) return node(ExprKind::kReplica, t.at);
  if (accept("spawn")) {
    auto e = node(ExprKind::kSpawn, t.at);
    e->name = expect_name();
    arguments(*e);
    return e;
  }
  if (accept("fence")) {
    auto e = node(ExprKind::kFence, t.at);
    expect("(");
    e->order = memory_order(kFenceOrders);
    expect(")");
    return e;
  }
  const bool built_in = t.kind == TokenKind::kKeyword &&
                        std::find(kBuiltInNames.begin(), kBuiltInNames.end(), t.text) != kBuiltInNames.end();
  if (t.kind != TokenKind::kName && !built_in) unexpected("an expression");
  auto e = node(ExprKind::kName, t.at);
  e->name = take().text;
  if (built_in || is("(")) {
    e->kind = ExprKind::kCall;
    arguments(*e);
  } else if (accept("[")) {
    e->kind = ExprKind::kElement;
    adopt(*e, expression());
    expect("]");
  }
  return is(".") ? atomic_access(std::move(e)) : std::move(e);
}

// x.store(1, release): what comes behind the place.
ExprPtr ExpressionParser::atomic_access(ExprPtr place) {
  if (place->kind == ExprKind::kCall)
    throw Complaint{peek().at, "only shared variables have accesses with memory orders: x.load(acquire)"};
  auto e = node(ExprKind::kAtomic, take().at);
  adopt(*e, std::move(place));
  const auto* access = std::find_if(kAtomicAccesses.begin(), kAtomicAccesses.end(),
                                    [&](const AtomicAccess& a) { return a.name == peek().text; });
  if (access == kAtomicAccesses.end()) unexpected("load, store, exchange, fetch_add or compare_exchange");
  e->name = take().text;
  expect("(");
  for (std::size_t i = 0; i < access->values; ++i) {
    if (i > 0) expect(",");
    adopt(*e, expression());
  }
  const bool ordered = access->values == 0 ? !is(")") : accept(",");
  if (ordered) e->order = memory_order(access->orders);
  e->failure = trace::order_of_failure(e->order);
  if (ordered && e->name == "compare_exchange" && accept(",")) e->failure = memory_order(kFailureOrders);
  expect(")");
  return e;
}

// The words are known only here: they are names otherwise. `allowed` lists those that make sense.
trace::MemoryOrder ExpressionParser::memory_order(std::string_view allowed) {
  const auto order = trace::memory_order_named(peek().text);
  const std::string_view word = peek().text;
  const std::size_t at = order ? allowed.find(word) : allowed.npos;
  const bool whole = at != allowed.npos && (at == 0 || allowed[at - 1] == ' ');
  if (!whole) unexpected("a memory order (" + std::string(allowed) + ")");
  take();
  return *order;
}

void ExpressionParser::arguments(Expr& call) {
  expect("(");
  if (!is(")")) {
    do adopt(call, expression());
    while (accept(","));
  }
  expect(")");
}

}  // namespace heddle::model
