// Recursive descent, with precedence climbing for binary operators; the grammar is in docs/model-language.md.
//
// Input may be hostile: nesting is bounded here (kMaxNesting for what recurses while parsing, kMaxHeight for
// chains like 1+1+1+... that only make the tree deep), so that neither this file nor any later recursion
// over the tree can run out of stack.
#include "model/parser.h"

#include <algorithm>
#include <array>
#include <optional>

#include "model/lexer.h"

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
constexpr std::array<std::string_view, 13> kBuiltIns = {
    "assert", "assume", "atomic_add", "broadcast", "cas",    "choose", "error",
    "input",  "lock",   "signal",     "try_lock",  "unlock", "wait"};

// Accesses to shared variables that say their memory order, and which orders each may have. (The standard's, and
// `plain`, which is no atomic access at all.)
struct AtomicAccess {
  std::string_view name;
  std::size_t values;      // arguments before the order
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
constexpr std::string_view kFenceOrders = "acquire, release, acq_rel or seq_cst";

std::optional<Operator> compound_operator(std::string_view symbol) {
  if (symbol.size() < 2 || symbol.back() != '=') return std::nullopt;
  const std::string_view plain = symbol.substr(0, symbol.size() - 1);
  for (const BinaryOperator& b : kBinaryOperators)
    if (b.symbol == plain && b.kind == ExprKind::kBinary && b.precedence != 6 && b.precedence != 7)
      return b.op;
  return std::nullopt;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), tokens_(tokenize(text)) {}

  Tree run() {
    Tree tree;
    while (peek().kind != TokenKind::kEnd) declaration(tree);
    tree.labels = std::move(labels_);
    return tree;
  }

 private:
  class Nested {
   public:
    explicit Nested(Parser& p) : parser_(p) {
      if (++p.nesting_ > kMaxNesting)
        throw Complaint{p.peek().at, "nested too deeply (more than " + std::to_string(kMaxNesting) +
                                         " levels); split it into functions"};
    }
    ~Nested() { --parser_.nesting_; }

   private:
    Parser& parser_;
  };

  // --- tokens ---

  const Token& peek() const { return tokens_[next_]; }
  const Token& take() { return tokens_[peek().kind == TokenKind::kEnd ? next_ : next_++]; }
  bool is(std::string_view text) const {
    return peek().text == text && (peek().kind == TokenKind::kSymbol || peek().kind == TokenKind::kKeyword);
  }
  bool accept(std::string_view text) {
    if (!is(text)) return false;
    take();
    return true;
  }
  [[noreturn]] void unexpected(const std::string& wanted) const {
    const Token& t = peek();
    std::string found =
        t.kind == TokenKind::kEnd ? "the end of the file" : "'" + std::string(t.text.substr(0, 40)) + "'";
    if (t.kind == TokenKind::kKeyword && wanted == "a name") found += ", a word of the language";
    throw Complaint{t.at, "expected " + wanted + ", found " + found};
  }
  void expect(std::string_view text) {
    if (!accept(text)) unexpected("'" + std::string(text) + "'");
  }
  std::string_view expect_name() {
    if (peek().kind != TokenKind::kName) unexpected("a name");
    return take().text;
  }

  // --- declarations ---

  void declaration(Tree& tree) {
    if (accept("const")) return declarators(tree, DeclKind::kConst);
    if (accept("shared")) {
      expect("int");
      return declarators(tree, DeclKind::kShared);
    }
    if (accept("lock")) return declarators(tree, DeclKind::kLock);
    if (accept("cond")) return declarators(tree, DeclKind::kCond);
    if (accept("func")) return function(tree);
    if (accept("thread")) return thread(tree);
    if (accept("invariant")) return invariant(tree);
    unexpected("a declaration (const, shared, lock, cond, func, thread or invariant)");
  }

  // Its own language: only where it ends is looked for.
  void invariant(Tree& tree) {
    const Offset begin = peek().at;
    Offset end = begin;
    while (!is(";")) {
      if (peek().kind == TokenKind::kEnd) unexpected("';'");
      const Token& t = take();
      end = static_cast<Offset>(t.at + t.text.size());
    }
    if (end == begin) unexpected("a condition");
    tree.invariants.push_back({begin, text_.substr(begin, end - begin)});
    expect(";");
  }

  void declarators(Tree& tree, DeclKind kind) {
    do {
      Decl d;
      d.kind = kind;
      d.at = peek().at;
      d.name = expect_name();
      if (kind != DeclKind::kConst && accept("[")) {
        d.count = expression();
        expect("]");
      }
      if (kind == DeclKind::kConst) {
        expect("=");
        d.initial.push_back(expression());
      } else if (kind == DeclKind::kShared && accept("=")) {
        initial_values(d);
      }
      tree.decls.push_back(std::move(d));
    } while (accept(","));
    expect(";");
  }

  void initial_values(Decl& d) {
    d.listed = accept("{");
    if (!d.listed) {
      d.initial.push_back(expression());
      return;
    }
    do d.initial.push_back(expression());
    while (accept(","));
    expect("}");
  }

  void function(Tree& tree) {
    Decl d;
    d.kind = DeclKind::kFunc;
    d.at = peek().at;
    d.name = expect_name();
    expect("(");
    if (!is(")")) {
      do {
        accept("int");
        d.params.push_back(expect_name());
      } while (accept(","));
    }
    expect(")");
    d.body = block();
    tree.decls.push_back(std::move(d));
  }

  void thread(Tree& tree) {
    Decl d;
    d.kind = DeclKind::kThread;
    d.at = peek().at;
    d.name = expect_name();
    if (accept("[")) {
      d.count = expression();
      expect("]");
    }
    d.body = block();
    tree.decls.push_back(std::move(d));
  }

  // --- statements ---

  StmtPtr make(StmtKind kind) const {
    auto s = std::make_unique<Stmt>();
    s->kind = kind;
    s->at = peek().at;
    return s;
  }

  StmtPtr block() {
    const Nested nested(*this);
    auto s = make(StmtKind::kBlock);
    expect("{");
    while (!accept("}")) {
      if (peek().kind == TokenKind::kEnd) unexpected("'}'");
      s->body.push_back(statement());
    }
    return s;
  }

  StmtPtr statement() {
    const Nested nested(*this);
    if (is("{")) return block();
    if (peek().kind == TokenKind::kName && tokens_[next_ + 1].text == ":") return labelled();
    if (is("if")) return if_statement();
    if (is("while")) return while_statement();
    if (is("for")) return for_statement();
    if (is(";")) {
      auto s = make(StmtKind::kBlock);
      take();
      return s;
    }
    StmtPtr s;
    if (is("int")) {
      s = local_variables();
    } else if (is("break") || is("continue")) {
      s = make(is("break") ? StmtKind::kBreak : StmtKind::kContinue);
      take();
    } else if (is("return")) {
      s = make(StmtKind::kReturn);
      take();
      if (!is(";")) s->value = expression();
    } else if (is("join")) {
      s = make(StmtKind::kJoin);
      take();
      s->value = expression();
    } else {
      s = simple_statement();
    }
    expect(";");
    return s;
  }

  StmtPtr labelled() {
    const Token& name = take();
    take();
    for (const Label& other : labels_)
      if (other.name == name.text)
        throw Complaint{name.at, "the label '" + std::string(name.text) + "' is taken; labels are known in the whole model"};
    const std::size_t number = labels_.size();
    labels_.push_back({name.at, name.text, peek().at, 0});
    StmtPtr s = statement();
    labels_[number].last = tokens_[next_ - 1].at;
    return s;
  }

  // int a = 1, b; as a block whose variables belong to the surrounding scope (no braces of its own).
  StmtPtr local_variables() {
    expect("int");
    StmtPtr first;
    std::vector<StmtPtr> more;
    do {
      auto s = make(StmtKind::kLocal);
      s->name = expect_name();
      if (is("[")) throw Complaint{peek().at, "arrays are shared; declare it outside, with `shared int`"};
      if (accept("=")) s->value = expression();
      (first ? more.emplace_back() : first) = std::move(s);
    } while (accept(","));
    for (auto& s : more) first->body.push_back(std::move(s));
    return first;
  }

  // Assignment, increment, or a call.
  StmtPtr simple_statement() {
    auto s = make(StmtKind::kEvaluate);
    if (is("++") || is("--")) {
      s->op = take().text == "++" ? Operator::kAdd : Operator::kSub;
      s->kind = StmtKind::kUpdate;
      s->target = unary();
      s->value = number(1, s->at);
      return s;
    }
    ExprPtr e = expression();
    const Token& t = peek();
    if (accept("=")) {
      s->kind = StmtKind::kAssign;
      s->target = std::move(e);
      s->value = expression();
    } else if (accept("++") || accept("--")) {
      s->kind = StmtKind::kUpdate;
      s->op = t.text == "++" ? Operator::kAdd : Operator::kSub;
      s->target = std::move(e);
      s->value = number(1, t.at);
    } else if (const auto op = t.kind == TokenKind::kSymbol ? compound_operator(t.text) : std::nullopt) {
      take();
      s->kind = StmtKind::kUpdate;
      s->op = *op;
      s->target = std::move(e);
      s->value = expression();
    } else if (e->kind == ExprKind::kCall || e->kind == ExprKind::kSpawn || e->kind == ExprKind::kAtomic ||
               e->kind == ExprKind::kFence) {
      s->value = std::move(e);
    } else {
      unexpected("an assignment (the expression alone does nothing)");
    }
    return s;
  }

  StmtPtr if_statement() {
    auto s = make(StmtKind::kIf);
    expect("if");
    expect("(");
    s->value = expression();
    expect(")");
    s->body.push_back(statement());
    if (accept("else")) s->body.push_back(statement());
    return s;
  }

  StmtPtr while_statement() {
    auto s = make(StmtKind::kLoop);
    expect("while");
    expect("(");
    s->value = expression();
    expect(")");
    s->body.resize(2);
    s->body.push_back(statement());
    return s;
  }

  StmtPtr for_statement() {
    auto s = make(StmtKind::kLoop);
    s->body.resize(2);
    expect("for");
    expect("(");
    if (!is(";")) s->body[0] = is("int") ? local_variables() : simple_statement();
    expect(";");
    if (!is(";")) s->value = expression();
    expect(";");
    if (!is(")")) s->body[1] = simple_statement();
    expect(")");
    s->body.push_back(statement());
    return s;
  }

  // --- expressions ---

  ExprPtr number(std::int32_t value, Offset at) const {
    auto e = std::make_unique<Expr>();
    e->at = at;
    e->value = value;
    return e;
  }

  ExprPtr node(ExprKind kind, Offset at) const {
    auto e = std::make_unique<Expr>();
    e->kind = kind;
    e->at = at;
    return e;
  }

  void adopt(Expr& parent, ExprPtr child) const {
    parent.height = std::max(parent.height, child->height + 1);
    if (parent.height > kMaxHeight)
      throw Complaint{parent.at, "this expression is too long (more than " + std::to_string(kMaxHeight) +
                                     " operators in a chain); split it"};
    parent.args.push_back(std::move(child));
  }

  ExprPtr expression() {
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

  ExprPtr binary(int lowest) {
    ExprPtr left = unary();
    for (;;) {
      const Token& t = peek();
      const auto* b = std::find_if(kBinaryOperators.begin(), kBinaryOperators.end(), [&](const auto& o) {
        return t.kind == TokenKind::kSymbol && o.symbol == t.text;
      });
      if (b == kBinaryOperators.end() || b->precedence < lowest) return left;
      take();
      auto e = node(b->kind, t.at);
      e->op = b->op;
      adopt(*e, std::move(left));
      adopt(*e, binary(b->precedence + 1));
      left = std::move(e);
    }
  }

  ExprPtr unary() {
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

  ExprPtr primary() {
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
                          std::find(kBuiltIns.begin(), kBuiltIns.end(), t.text) != kBuiltIns.end();
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
  ExprPtr atomic_access(ExprPtr place) {
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
    expect(")");
    return e;
  }

  // The words are known only here: they are names otherwise. `allowed` lists those that make sense.
  trace::MemoryOrder memory_order(std::string_view allowed) {
    const auto order = trace::memory_order_named(peek().text);
    const std::string_view word = peek().text;
    const std::size_t at = order ? allowed.find(word) : allowed.npos;
    const bool whole = at != allowed.npos && (at == 0 || allowed[at - 1] == ' ');
    if (!whole) unexpected("a memory order (" + std::string(allowed) + ")");
    take();
    return *order;
  }

  void arguments(Expr& call) {
    expect("(");
    if (!is(")")) {
      do adopt(call, expression());
      while (accept(","));
    }
    expect(")");
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::vector<Label> labels_;
  std::size_t next_ = 0;
  int nesting_ = 0;
};

}  // namespace

Tree parse(std::string_view text) { return Parser(text).run(); }

}  // namespace heddle::model
