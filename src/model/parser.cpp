// Declarations and statements, by recursive descent; the grammar is in docs/model-language.md.
#include "model/parser.h"

#include "model/expression_parser.h"

namespace heddle::model {
namespace {

class Parser final : ExpressionParser {
 public:
  explicit Parser(std::string_view text) : ExpressionParser(text), text_(text) {}

  Tree run() {
    Tree tree;
    while (peek().kind != TokenKind::kEnd) declaration(tree);
    tree.labels = std::move(labels_);
    return tree;
  }

 private:
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
    if (peek().kind == TokenKind::kName && peek_second().text == ":") return labelled();
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
        throw Complaint{name.at,
                        "the label '" + std::string(name.text) + "' is taken; labels are known in the whole model"};
    const std::size_t number = labels_.size();
    labels_.push_back({name.at, name.text, peek().at, 0});
    StmtPtr s = statement();
    labels_[number].last = last_taken().at;
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

  std::string_view text_;
  std::vector<Label> labels_;
};

}  // namespace

Tree parse(std::string_view text) { return Parser(text).run(); }

}  // namespace heddle::model
