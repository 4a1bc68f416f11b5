#include "model/body_compiler.h"

namespace heddle::model {
namespace {
constexpr std::uint32_t kMaxRegisters = 1000;

// wait(c, m); and nothing else.
bool only_waits(const Stmt& s) {
  if (s.kind == StmtKind::kBlock) return s.body.size() == 1 && only_waits(*s.body[0]);
  return s.kind == StmtKind::kEvaluate && s.value->kind == ExprKind::kCall && s.value->name == "wait";
}
}  // namespace

void BodyCompiler::compile(const Decl& body, std::uint32_t function) {
  body_ = &body;
  code_.functions[function].entry = here();
  // A thread's replica number is its hidden parameter; no name can clash with a word of the language.
  // In its own body a replicated thread's name stands for that number too.
  if (body.kind == DeclKind::kThread) {
    const Register replica = add_local("index", body.at);
    if (body.count) locals_.push_back({body.name, replica});
  }
  for (const std::string_view p : body.params) add_local(p, body.at);
  statement(*body.body);
  const Register zero = temporary(body.at);
  emit(body.at, Op::kConst, zero);
  emit(body.at, Op::kReturn, 0, zero);
  code_.functions[function].registers = registers_;
}

const BodyCompiler::Local* BodyCompiler::find_local(std::string_view name) const {
  for (const Local& l : locals_)
    if (l.name == name) return &l;
  return nullptr;
}

BodyCompiler::Register BodyCompiler::add_local(std::string_view name, Offset at) {
  if (find_local(name) || symbols_.find(name))
    throw Complaint{at, "'" + std::string(name) + "' is already declared; a local variable may not hide another name"};
  const Register r = temporary(at);
  locals_.push_back({name, r});
  return r;
}

BodyCompiler::Register BodyCompiler::temporary(Offset at) {
  if (top_ >= kMaxRegisters)
    throw Complaint{at, "too many local variables and intermediate values; split this into functions"};
  if (++top_ > registers_) registers_ = top_;
  return static_cast<Register>(top_ - 1);
}

std::uint32_t BodyCompiler::emit(Offset at, Op op, Register a, Register b, Register c, std::int32_t value) {
  code_.instructions.push_back({.op = op, .a = a, .b = b, .c = c, .value = value});
  code_.places.push_back(at);
  return here() - 1;
}

void BodyCompiler::land(const Label& label) {
  for (const std::uint32_t jump : label) code_.instructions[jump].value = static_cast<std::int32_t>(here());
}

void BodyCompiler::statement(const Stmt& s) {
  // Temporaries live until the end of the statement, locals until the end of the block.
  const std::uint32_t top = top_;
  switch (s.kind) {
    case StmtKind::kBlock: {
      const std::size_t locals = locals_.size();
      for (const StmtPtr& inner : s.body) statement(*inner);
      locals_.resize(locals);
      break;
    }
    case StmtKind::kLocal:
      return local(s);
    case StmtKind::kAssign:
      assign(s);
      break;
    case StmtKind::kUpdate:
      update(s);
      break;
    case StmtKind::kIf:
      branch_statement(s);
      break;
    case StmtKind::kLoop:
      loop(s);
      break;
    case StmtKind::kBreak:
    case StmtKind::kContinue: {
      const bool breaks = s.kind == StmtKind::kBreak;
      if (loops_.empty()) throw Complaint{s.at, std::string(breaks ? "break" : "continue") + " outside a loop"};
      (breaks ? loops_.back()->breaks : loops_.back()->continues).push_back(emit(s.at, Op::kJump));
      break;
    }
    case StmtKind::kReturn:
      return_statement(s);
      break;
    case StmtKind::kEvaluate:
      evaluate(s);
      break;
    case StmtKind::kJoin:
      join(s);
      break;
  }
  top_ = top;
}

void BodyCompiler::local(const Stmt& s) {
  // The initial value is computed before the name is known, above the register the variable will get.
  const std::uint32_t top = top_;
  const Register v = s.value ? value(*s.value) : temporary(s.at);
  if (!s.value) emit(s.at, Op::kConst, v);
  top_ = top;
  const Register r = add_local(s.name, s.at);
  if (r != v) emit(s.at, Op::kMove, r, v);
  for (const StmtPtr& next : s.body) local(*next);
}

void BodyCompiler::assign(const Stmt& s) {
  const Expr& target = *s.target;
  if (const Local* l = target.kind == ExprKind::kName ? find_local(target.name) : nullptr)
    return value_into(*s.value, l->at);
  const Register to = object(target, ObjectKind::kMemory);
  const Register v = value(*s.value);
  emit(s.at, Op::kStore, v, to);
}

void BodyCompiler::update(const Stmt& s) {
  const Expr& target = *s.target;
  const auto op = static_cast<Op>(s.op);
  if (const Local* l = target.kind == ExprKind::kName ? find_local(target.name) : nullptr) {
    emit(s.at, op, l->at, l->at, value(*s.value));
    return;
  }
  const Register to = object(target, ObjectKind::kMemory);
  const Register v = temporary(s.at);
  emit(target.at, Op::kLoad, v, to);
  emit(s.at, op, v, v, value(*s.value));
  emit(s.at, Op::kStore, v, to);
}

void BodyCompiler::branch_statement(const Stmt& s) {
  const std::uint32_t top = top_;
  Label otherwise, end;
  jump_if(*s.value, false, otherwise);
  top_ = top;
  // Each branch is a scope of its own even without braces.
  const std::size_t locals = locals_.size();
  statement(*s.body[0]);
  locals_.resize(locals);
  top_ = top;
  if (s.body.size() > 1) {
    end.push_back(emit(s.at, Op::kJump));
    land(otherwise);
    statement(*s.body[1]);
    locals_.resize(locals);
  } else {
    land(otherwise);
  }
  land(end);
}

// init; goto test; body: ...; continue: step; test: turn; if (condition) goto body; break:
void BodyCompiler::loop(const Stmt& s) {
  const std::size_t locals = locals_.size();
  if (s.body[0]) statement(*s.body[0]);
  const std::uint32_t top = top_;
  Loop l;
  loops_.push_back(&l);
  Label test, again;
  test.push_back(emit(s.at, Op::kJump));
  const std::uint32_t body = here();
  const std::size_t inner = locals_.size();
  looks_again_ = s.value && !s.body[1] && only_waits(*s.body[2]);
  statement(*s.body[2]);
  looks_again_ = false;
  locals_.resize(inner);
  top_ = top;
  loops_.pop_back();
  land(l.continues);
  if (s.body[1]) statement(*s.body[1]);
  land(test);
  const std::uint32_t turn = emit(s.at, Op::kTurn, static_cast<Register>(top));
  if (s.value)
    jump_if(*s.value, true, again);
  else
    again.push_back(emit(s.at, Op::kJump));
  for (const std::uint32_t jump : again) code_.instructions[jump].value = static_cast<std::int32_t>(body);
  code_.instructions[turn].value = static_cast<std::int32_t>(here());
  land(l.breaks);
  locals_.resize(locals);
}

void BodyCompiler::return_statement(const Stmt& s) {
  if (s.value && body_->kind == DeclKind::kThread)
    throw Complaint{s.value->at, "a thread has no value to return; write `return;`"};
  Register r;
  if (s.value) {
    r = value(*s.value);
  } else {
    r = temporary(s.at);
    emit(s.at, Op::kConst, r);
  }
  emit(s.at, Op::kReturn, 0, r);
}

void BodyCompiler::evaluate(const Stmt& s) {
  if (s.value->kind == ExprKind::kSpawn)
    value(*s.value);
  else if (s.value->kind == ExprKind::kAtomic)
    atomic_access(*s.value, nullptr);
  else if (s.value->kind == ExprKind::kFence)
    code_.instructions[emit(s.at, Op::kFence)].order = s.value->order;
  else
    call(*s.value, nullptr);
}

// join t; waits for the thread with number t. join worker; waits for all replicas of a declared thread, in
// order.
void BodyCompiler::join(const Stmt& s) {
  const Expr& e = *s.value;
  const bool named = e.kind == ExprKind::kName || e.kind == ExprKind::kElement;
  const Symbol* symbol = named && !find_local(e.name) ? symbols_.find(e.name) : nullptr;
  if (!symbol || symbol->kind != SymbolKind::kThread) {
    emit(s.at, Op::kJoin, value(e));
    return;
  }
  const Register r = temporary(s.at);
  if (e.kind == ExprKind::kName) {
    for (std::uint32_t i = 0; i < symbol->count; ++i) {
      emit(s.at, Op::kConst, r, 0, 0, static_cast<std::int32_t>(symbol->number + i));
      emit(s.at, Op::kJoin, r);
    }
    return;
  }
  if (!symbol->array)
    throw Complaint{e.at,
                    "'" + std::string(e.name) + "' is a single thread; write `join " + std::string(e.name) + ";`"};
  const auto replica = fold(*e.args[0], symbols_);
  if (!replica || *replica < 0 || *replica >= static_cast<std::int32_t>(symbol->count))
    throw Complaint{e.args[0]->at, "a replica is named by a constant from 0 to " +
                                       std::to_string(static_cast<std::int64_t>(symbol->count) - 1) + "; `join " +
                                       std::string(e.name) + ";` waits for all"};
  emit(s.at, Op::kConst, r, 0, 0, static_cast<std::int32_t>(symbol->number) + *replica);
  emit(s.at, Op::kJoin, r);
}

}  // namespace heddle::model
