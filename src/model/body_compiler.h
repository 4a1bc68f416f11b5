// One function or thread body, from tree to register code.
//
// An expression's value is either in a register that already holds it (a local variable) or in a temporary
// above all locals. Assignments are statements, so no operand can change while its neighbour is evaluated,
// and a local's own register may serve as operand. `value_into` writes its destination last of all, so the
// destination may occur in the expression.
#pragma once

#include <string_view>
#include <vector>

#include "model/ast.h"
#include "model/code.h"
#include "model/symbols.h"

namespace heddle::model {

class BodyCompiler {
 public:
  BodyCompiler(Code& code, const Symbols& symbols, std::string_view text)
      : code_(code), symbols_(symbols), text_(text) {}

  // Throws a Complaint.
  void compile(const Decl& body, std::uint32_t function);

 private:
  using Register = std::uint16_t;
  using Label = std::vector<std::uint32_t>;  // jumps to be directed to one place

  struct Local {
    std::string_view name;
    Register at;
  };
  struct Loop {
    Label breaks;
    Label continues;
  };

  // statements (body_compiler.cpp)
  void statement(const Stmt& s);
  void local(const Stmt& s);
  void assign(const Stmt& s);
  void update(const Stmt& s);
  void branch_statement(const Stmt& s);
  void loop(const Stmt& s);
  void return_statement(const Stmt& s);
  void evaluate(const Stmt& s);
  void join(const Stmt& s);

  // expressions (expression_compiler.cpp)
  Register value(const Expr& e);
  void value_into(const Expr& e, Register to);
  void binary_into(const Expr& e, Register to);
  void logical_into(const Expr& e, Register to);
  void conditional_into(const Expr& e, Register to);
  void name_into(const Expr& e, Register to);
  // Jumps to `label` if the truth of e is `when`, else falls through.
  void jump_if(const Expr& e, bool when, Label& label);

  // calls (call_compiler.cpp)
  // `to`: where the value is wanted; nothing: the call is a statement.
  void call(const Expr& e, const Register* to);
  void built_in(const Expr& e, const Register* to);
  void model_function(const Expr& e, const Register* to);
  void wait(const Expr& e);
  void atomic_access(const Expr& e, const Register* to);
  // The object that a name or element stands for, in a register.
  Register object(const Expr& e, ObjectKind kind);
  Register arguments(const Expr& e, const char* what);
  std::uint32_t message(const Expr& e, std::size_t argument);

  const Local* find_local(std::string_view name) const;
  Register add_local(std::string_view name, Offset at);
  Register temporary(Offset at);
  std::uint32_t emit(Offset at, Op op, Register a = 0, Register b = 0, Register c = 0, std::int32_t value = 0);
  void land(const Label& label);
  std::uint32_t here() const { return static_cast<std::uint32_t>(code_.instructions.size()); }

  Code& code_;
  const Symbols& symbols_;
  std::string_view text_;
  const Decl* body_ = nullptr;
  std::vector<Local> locals_;
  std::vector<Loop*> loops_;
  bool looks_again_ = false;     // in a loop that does nothing but look and wait
  std::uint32_t top_ = 0;        // first free register
  std::uint32_t registers_ = 1;  // most that were in use
};

}  // namespace heddle::model
