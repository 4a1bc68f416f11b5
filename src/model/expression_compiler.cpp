// Expressions: strictly left to right, with short circuit. Each read of a shared cell is one kLoad.
#include "model/body_compiler.h"

namespace heddle::model {

BodyCompiler::Register BodyCompiler::value(const Expr& e) {
  if (e.kind == ExprKind::kName)
    if (const Local* l = find_local(e.name)) return l->at;
  const Register to = temporary(e.at);
  value_into(e, to);
  return to;
}

void BodyCompiler::value_into(const Expr& e, Register to) {
  const std::uint32_t top = top_;
  if (const auto known = fold(e, symbols_)) {
    emit(e.at, Op::kConst, to, 0, 0, *known);
    return;
  }
  switch (e.kind) {
    case ExprKind::kNumber:
      break;  // folded above
    case ExprKind::kString:
      throw Complaint{e.at, "a string is only a message of assert or error"};
    case ExprKind::kName:
    case ExprKind::kElement:
      name_into(e, to);
      break;
    case ExprKind::kReplica:
      if (body_->kind != DeclKind::kThread)
        throw Complaint{e.at, "index is known only in a thread's own body; pass it to the function"};
      emit(e.at, Op::kMove, to, 0);
      break;
    case ExprKind::kUnary:
      emit(e.at, static_cast<Op>(e.op), to, value(*e.args[0]));
      break;
    case ExprKind::kBinary:
      binary_into(e, to);
      break;
    case ExprKind::kAnd:
    case ExprKind::kOr:
      logical_into(e, to);
      break;
    case ExprKind::kConditional:
      conditional_into(e, to);
      break;
    case ExprKind::kCall:
      call(e, &to);
      break;
    case ExprKind::kSpawn:
      model_function(e, &to);
      break;
    case ExprKind::kAtomic:
      atomic_access(e, &to);
      break;
    case ExprKind::kFence:
      throw Complaint{e.at, "fence has no value"};
  }
  top_ = top;
}

void BodyCompiler::name_into(const Expr& e, Register to) {
  if (const Local* l = find_local(e.name)) {
    if (e.kind == ExprKind::kElement) throw Complaint{e.at, "'" + std::string(e.name) + "' is not an array"};
    emit(e.at, Op::kMove, to, l->at);
    return;
  }
  const Register from = object(e, ObjectKind::kMemory);
  if (Instruction& last = code_.instructions.back(); last.op == Op::kElement) last.c = 1;
  emit(e.at, Op::kLoad, to, from);
}

void BodyCompiler::binary_into(const Expr& e, Register to) {
  const Register a = value(*e.args[0]);
  const Register b = value(*e.args[1]);
  emit(e.at, static_cast<Op>(e.op), to, a, b);
}

void BodyCompiler::logical_into(const Expr& e, Register to) {
  Label no, end;
  jump_if(e, false, no);
  emit(e.at, Op::kConst, to, 0, 0, 1);
  end.push_back(emit(e.at, Op::kJump));
  land(no);
  emit(e.at, Op::kConst, to, 0, 0, 0);
  land(end);
}

void BodyCompiler::conditional_into(const Expr& e, Register to) {
  Label no, end;
  jump_if(*e.args[0], false, no);
  value_into(*e.args[1], to);
  end.push_back(emit(e.at, Op::kJump));
  land(no);
  value_into(*e.args[2], to);
  land(end);
}

void BodyCompiler::jump_if(const Expr& e, bool when, Label& label) {
  const std::uint32_t top = top_;
  if (const auto known = fold(e, symbols_)) {
    if ((*known != 0) == when) label.push_back(emit(e.at, Op::kJump));
    return;
  }
  if (e.kind == ExprKind::kUnary && e.op == Operator::kNot) return jump_if(*e.args[0], !when, label);
  if (e.kind == ExprKind::kAnd || e.kind == ExprKind::kOr) {
    // `decisive`: the truth of the left side that settles the whole.
    const bool decisive = e.kind == ExprKind::kOr;
    if (decisive == when) {
      jump_if(*e.args[0], when, label);
      jump_if(*e.args[1], when, label);
    } else {
      Label past;
      jump_if(*e.args[0], decisive, past);
      jump_if(*e.args[1], when, label);
      land(past);
    }
    return;
  }
  const Register r = value(e);
  label.push_back(emit(e.at, when ? Op::kJumpIfNot : Op::kJumpIfZero, r));
  top_ = top;
}

}  // namespace heddle::model
