// Calls: the built-in operations, the model's own functions, spawn, and the objects they work on.
#include <array>

#include "model/body_compiler.h"

namespace heddle::model {
namespace {

enum class BuiltIn : std::uint8_t {
  kAssert,
  kAssume,
  kAtomicAdd,
  kBroadcast,
  kCas,
  kChoose,
  kError,
  kInput,
  kLock,
  kSignal,
  kTryLock,
  kUnlock,
  kWait,
};

struct BuiltInInfo {
  std::string_view name;
  BuiltIn id;
  std::size_t fewest;
  std::size_t most;
  bool has_value;
  const char* form;
};

constexpr std::array<BuiltInInfo, 13> kBuiltIns = {{
    {"assert", BuiltIn::kAssert, 1, 2, false, "assert(condition, \"message\")"},
    {"assume", BuiltIn::kAssume, 1, 1, false, "assume(condition)"},
    {"atomic_add", BuiltIn::kAtomicAdd, 2, 2, true, "atomic_add(variable, amount)"},
    {"broadcast", BuiltIn::kBroadcast, 1, 1, false, "broadcast(cond)"},
    {"cas", BuiltIn::kCas, 3, 3, true, "cas(variable, expected, desired)"},
    {"choose", BuiltIn::kChoose, 1, 1, true, "choose(count)"},
    {"error", BuiltIn::kError, 0, 1, false, "error(\"message\")"},
    {"input", BuiltIn::kInput, 0, 0, true, "input()"},
    {"lock", BuiltIn::kLock, 1, 1, false, "lock(name)"},
    {"signal", BuiltIn::kSignal, 1, 1, false, "signal(cond)"},
    {"try_lock", BuiltIn::kTryLock, 1, 1, true, "try_lock(name)"},
    {"unlock", BuiltIn::kUnlock, 1, 1, false, "unlock(name)"},
    {"wait", BuiltIn::kWait, 2, 2, false, "wait(cond, lock)"},
}};

const BuiltInInfo* find_built_in(std::string_view name) {
  for (const BuiltInInfo& b : kBuiltIns)
    if (b.name == name) return &b;
  return nullptr;
}

const char* word_for(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::kMemory:
      return "a shared variable";
    case ObjectKind::kLock:
      return "a lock";
    case ObjectKind::kCond:
      return "a condition variable";
  }
  return "";
}

}  // namespace

void BodyCompiler::call(const Expr& e, const Register* to) {
  if (find_built_in(e.name))
    built_in(e, to);
  else
    model_function(e, to);
}

void BodyCompiler::built_in(const Expr& e, const Register* to) {
  const BuiltInInfo& b = *find_built_in(e.name);
  if (e.args.size() < b.fewest || e.args.size() > b.most)
    throw Complaint{e.at, "wrong number of arguments; the form is " + std::string(b.form)};
  if (to && !b.has_value) throw Complaint{e.at, std::string(b.name) + " has no value"};
  const Register result = to ? *to : temporary(e.at);
  switch (b.id) {
    case BuiltIn::kAssert: {
      const Register r = value(*e.args[0]);
      emit(e.at, Op::kAssert, r, 0, 0, static_cast<std::int32_t>(message(e, 1)));
      break;
    }
    case BuiltIn::kAssume:
      emit(e.at, Op::kAssume, value(*e.args[0]));
      break;
    case BuiltIn::kError:
      emit(e.at, Op::kError, 0, 0, 0, static_cast<std::int32_t>(message(e, 0)));
      break;
    case BuiltIn::kInput:
      emit(e.at, Op::kInput, result);
      code_.reads_inputs = true;
      break;
    case BuiltIn::kChoose:
      emit(e.at, Op::kChoose, result, value(*e.args[0]));
      break;
    case BuiltIn::kAtomicAdd: {
      const Register x = object(*e.args[0], ObjectKind::kMemory);
      emit(e.at, Op::kFetchAdd, result, x, value(*e.args[1]));
      break;
    }
    case BuiltIn::kCas: {
      const Register x = object(*e.args[0], ObjectKind::kMemory);
      code_.variables[symbols_.get(e.args[0]->name, e.args[0]->at).number].compared = true;
      const Register expected = value(*e.args[1]);
      emit(e.at, Op::kCas, result, x, expected, value(*e.args[2]));
      break;
    }
    case BuiltIn::kLock:
      emit(e.at, Op::kLock, 0, object(*e.args[0], ObjectKind::kLock));
      break;
    case BuiltIn::kUnlock:
      emit(e.at, Op::kUnlock, 0, object(*e.args[0], ObjectKind::kLock));
      break;
    case BuiltIn::kTryLock:
      emit(e.at, Op::kTryLock, result, object(*e.args[0], ObjectKind::kLock));
      break;
    case BuiltIn::kSignal:
      emit(e.at, Op::kSignal, 0, object(*e.args[0], ObjectKind::kCond));
      break;
    case BuiltIn::kBroadcast:
      emit(e.at, Op::kBroadcast, 0, object(*e.args[0], ObjectKind::kCond));
      break;
    case BuiltIn::kWait:
      wait(e);
      break;
  }
}

// An access that says its memory order. Names and `=` alone are sequentially consistent.
void BodyCompiler::atomic_access(const Expr& e, const Register* to) {
  if (to && e.name == "store") throw Complaint{e.at, "store has no value"};
  const Register result = to ? *to : temporary(e.at);
  const Register x = object(*e.args[0], ObjectKind::kMemory);
  std::uint32_t made = 0;
  if (e.name == "load") {
    made = emit(e.at, Op::kLoad, result, x);
  } else if (e.name == "store") {
    made = emit(e.at, Op::kStore, value(*e.args[1]), x);
  } else if (e.name == "compare_exchange") {
    code_.variables[symbols_.get(e.args[0]->name, e.args[0]->at).number].compared = true;
    const Register expected = value(*e.args[1]);
    made = emit(e.at, Op::kCas, result, x, expected, value(*e.args[2]));
  } else {
    made = emit(e.at, e.name == "exchange" ? Op::kExchange : Op::kFetchAdd, result, x, value(*e.args[1]));
  }
  code_.instructions[made].order = e.order;
  code_.instructions[made].failure = e.failure;
}

// Register, release, park until woken, acquire again. Or return for no reason: release, acquire again. Nothing is lost
// by doing that at once, as whoever leaves later has been passed over by all signals until then; and a thread in a loop
// that does nothing but look and wait would be where it was.
void BodyCompiler::wait(const Expr& e) {
  const Register cond = object(*e.args[0], ObjectKind::kCond);
  const Register mutex = object(*e.args[1], ObjectKind::kLock);
  Label early, end;
  if (!looks_again_) {
    const Register at_once = temporary(e.at);
    emit(e.at, Op::kSpurious, at_once, mutex);
    early.push_back(emit(e.at, Op::kJumpIfNot, at_once));
  }
  emit(e.at, Op::kWait, 0, cond, mutex);
  emit(e.at, Op::kWaitUnlock, 0, mutex);
  emit(e.at, Op::kPark, 0, cond);
  if (!looks_again_) {
    end.push_back(emit(e.at, Op::kJump));
    land(early);
    emit(e.at, Op::kUnlock, 0, mutex);
    land(end);
  }
  emit(e.at, Op::kLock, 0, mutex);
}

BodyCompiler::Register BodyCompiler::arguments(const Expr& e, const char* what) {
  const Symbol& symbol = symbols_.get(e.name, e.at);
  if (symbol.kind != SymbolKind::kFunction)
    throw Complaint{e.at, "'" + std::string(e.name) + "' is not a function and cannot be " + what};
  const std::uint32_t wanted = code_.functions[symbol.number].parameters;
  if (e.args.size() != wanted)
    throw Complaint{e.at, "'" + std::string(e.name) + "' takes " + std::to_string(wanted) + " arguments, not " +
                              std::to_string(e.args.size())};
  // The callee's window begins here; its first register also takes the result.
  const Register window = temporary(e.at);
  for (std::size_t i = 1; i < e.args.size(); ++i) temporary(e.at);
  for (std::size_t i = 0; i < e.args.size(); ++i) value_into(*e.args[i], static_cast<Register>(window + i));
  return window;
}

void BodyCompiler::model_function(const Expr& e, const Register* to) {
  const bool spawns = e.kind == ExprKind::kSpawn;
  const Register window = arguments(e, spawns ? "spawned" : "called");
  const auto number = static_cast<std::int32_t>(symbols_.get(e.name, e.at).number);
  if (spawns) code_.spawns = true;
  emit(e.at, spawns ? Op::kSpawn : Op::kCall, window, 0, static_cast<Register>(e.args.size()), number);
  if (to) emit(e.at, Op::kMove, *to, window);
}

BodyCompiler::Register BodyCompiler::object(const Expr& e, ObjectKind kind) {
  const std::string wanted = std::string("expected ") + word_for(kind);
  if (e.kind != ExprKind::kName && e.kind != ExprKind::kElement) throw Complaint{e.at, wanted};
  const std::string name(e.name);
  if (find_local(e.name)) throw Complaint{e.at, wanted + ", '" + name + "' is local"};
  const Symbol& symbol = symbols_.get(e.name, e.at);
  if (symbol.kind != SymbolKind::kVariable) throw Complaint{e.at, wanted + ", '" + name + "' is none"};
  const Variable& v = code_.variables[symbol.number];
  if (v.kind != kind) throw Complaint{e.at, wanted + ", '" + name + "' is " + word_for(v.kind)};
  if (v.array && e.kind == ExprKind::kName)
    throw Complaint{e.at, "'" + name + "' is an array; name an element: " + name + "[...]"};
  if (!v.array && e.kind == ExprKind::kElement) throw Complaint{e.at, "'" + name + "' is not an array"};

  const Register r = temporary(e.at);
  if (!v.array) {
    emit(e.at, Op::kConst, r, 0, 0, static_cast<std::int32_t>(v.first));
    return r;
  }
  const std::uint32_t top = top_;
  emit(e.at, Op::kElement, r, value(*e.args[0]), 0, static_cast<std::int32_t>(symbol.number));
  top_ = top;
  return r;
}

std::uint32_t BodyCompiler::message(const Expr& e, std::size_t argument) {
  std::string text;
  if (argument < e.args.size()) {
    const Expr& m = *e.args[argument];
    if (m.kind != ExprKind::kString) throw Complaint{m.at, "the message must be a string: \"...\""};
    text = m.text;
  } else {
    // Without a message the statement itself is shown.
    text = std::string(text_.substr(e.at, text_.find_first_of(";\n", e.at) - e.at));
    while (!text.empty() && (text.back() == '\r' || text.back() == ' ')) text.pop_back();
  }
  code_.messages.push_back(std::move(text));
  return static_cast<std::uint32_t>(code_.messages.size() - 1);
}

}  // namespace heddle::model
