// Calls. Terms of arguments go into the record (symbolic_abi.h) if there are any; the runtime looks whether the callee
// is compiled with tracking, and concretises the arguments if it is not. The result's term is read after the call.
// Functions of the C library whose results depend on memory, not on their arguments alone, are replaced by the
// runtime's own (runtime/symbolic_library.cpp).
#include <llvm/ADT/StringSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "native/pass/comparisons.h"
#include "native/pass/tracker.h"

namespace heddle::pass {

using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;
using protocol::SymbolicOp;

namespace {

const llvm::StringSet<>& modelled_functions() {
  static const llvm::StringSet<> names = {
      "memcmp",   "bcmp",     "memcpy",  "memmove", "memset",  "memchr",  "strlen",  "strnlen",       "strcmp",
      "strncmp",  "strcpy",   "strncpy", "strcat",  "strchr",  "strrchr", "strtol",  "strtoul",       "strtoll",
      "strtoull", "atoi",     "atol",    "atoll",   "isalpha", "isdigit", "isalnum", "isspace",       "isupper",
      "islower",  "isxdigit", "ispunct", "isprint", "toupper", "tolower", "getenv",  "secure_getenv", "read",
      "getc",     "fgetc",    "getchar", "fgets",   "fread"};
  return names;
}

struct OverflowParts {
  SymbolicOp value, overflow;
};

std::optional<OverflowParts> with_overflow(llvm::Intrinsic::ID id) {
  using namespace llvm;
  switch (id) {
    case Intrinsic::sadd_with_overflow:
      return OverflowParts{SymbolicOp::kAdd, SymbolicOp::kAddOverflowsSigned};
    case Intrinsic::uadd_with_overflow:
      return OverflowParts{SymbolicOp::kAdd, SymbolicOp::kAddOverflowsUnsigned};
    case Intrinsic::ssub_with_overflow:
      return OverflowParts{SymbolicOp::kSub, SymbolicOp::kSubOverflowsSigned};
    case Intrinsic::usub_with_overflow:
      return OverflowParts{SymbolicOp::kSub, SymbolicOp::kSubOverflowsUnsigned};
    case Intrinsic::smul_with_overflow:
      return OverflowParts{SymbolicOp::kMul, SymbolicOp::kMulOverflowsSigned};
    case Intrinsic::umul_with_overflow:
      return OverflowParts{SymbolicOp::kMul, SymbolicOp::kMulOverflowsUnsigned};
    default:
      return std::nullopt;
  }
}

std::optional<SymbolicOp> plain_intrinsic(llvm::Intrinsic::ID id) {
  using namespace llvm;
  switch (id) {
    case Intrinsic::umin:
      return SymbolicOp::kUmin;
    case Intrinsic::umax:
      return SymbolicOp::kUmax;
    case Intrinsic::smin:
      return SymbolicOp::kSmin;
    case Intrinsic::smax:
      return SymbolicOp::kSmax;
    case Intrinsic::uadd_sat:
      return SymbolicOp::kUaddSat;
    case Intrinsic::usub_sat:
      return SymbolicOp::kUsubSat;
    case Intrinsic::abs:
      return SymbolicOp::kAbs;
    case Intrinsic::bswap:
      return SymbolicOp::kByteSwap;
    default:
      return std::nullopt;
  }
}

// Nothing that depends on inputs is decided by these.
bool is_annotation(llvm::Intrinsic::ID id) {
  using namespace llvm;
  switch (id) {
    case Intrinsic::assume:
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end:
    case Intrinsic::invariant_start:
    case Intrinsic::invariant_end:
    case Intrinsic::experimental_noalias_scope_decl:
    case Intrinsic::dbg_declare:
    case Intrinsic::dbg_value:
    case Intrinsic::dbg_label:
    case Intrinsic::dbg_assign:
    case Intrinsic::prefetch:
    case Intrinsic::vastart:
    case Intrinsic::vaend:
      return true;
    default:
      return false;
  }
}

// Functions of the runtime, and those that do not look into memory they are given.
bool knows_terms(llvm::StringRef name) {
  for (const char* prefix :
       {"heddle_", "klee_", "__VERIFIER_", "__tsan_", "pthread_", "thrd_", "mtx_", "cnd_", "sem_", "tss_", "__cxa_",
        "_Zn", "_Zd", "_ZNSt6thread", "__gxx_", "__clang_call_terminate", "_ZSt9terminate"})
    if (name.starts_with(prefix)) return true;
  return name == "free" || name == "malloc" || name == "calloc" || name == "call_once" || name == "__assert_fail";
}

// Constants, but for variables.
bool is_without_terms(const llvm::Value* pointer) {
  if (!isa<llvm::Constant>(pointer)) return false;
  const auto* global = dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(pointer));
  return !global || global->isConstant();
}

// Which arguments of a modelled function (as it is called here) point to what it writes and reads; -1: none.
struct BoundArguments {
  int to = -1, from = -1;
};

BoundArguments bound_arguments(llvm::StringRef name) {
  if (!name.consume_front("heddle_sym_")) return {};
  if (name == "memcpy" || name == "memmove" || name == "strcpy" || name == "strncpy" || name == "strcat") return {0, 1};
  if (name == "memset") return {0, -1};
  if (name == "strlen" || name == "strnlen") return {-1, 0};
  return {};
}

bool leaves_text(llvm::StringRef name) {
  return name == "sprintf" || name == "vsprintf" || name == "strncat" || name == "stpcpy";
}

// Which argument of a printing function says where to; -1: none.
int destination_argument(llvm::StringRef name) {
  if (name == "write" || name == "fprintf" || name == "vfprintf" || name == "__fprintf_chk") return 0;
  if (name == "fputs" || name == "fputc" || name == "putc") return 1;
  if (name == "fwrite") return 3;
  return name.starts_with("_ZNSo") || name.starts_with("_ZStls") || name.starts_with("_ZSt16__ostream") ? 0 : -1;
}

llvm::Instruction* after(llvm::CallBase& i) {
  if (auto* invoke = dyn_cast<llvm::InvokeInst>(&i)) {
    llvm::BasicBlock* normal = invoke->getNormalDest();
    if (!normal->getSinglePredecessor()) normal = llvm::SplitEdge(i.getParent(), normal);
    return &*normal->getFirstInsertionPt();
  }
  return i.getNextNode();
}

}  // namespace

bool Tracker::visit_intrinsic(llvm::IntrinsicInst& i) {
  if (is_annotation(i.getIntrinsicID())) return true;
  if (auto* memory = dyn_cast<llvm::MemIntrinsic>(&i)) {
    visit_memory_intrinsic(*memory);
    return true;
  }
  if (!tracked(&i)) return false;
  llvm::Value* x = i.getArgOperand(0);
  if (const auto parts = with_overflow(i.getIntrinsicID())) {
    llvm::Value* y = i.getArgOperand(1);
    for (unsigned e = 0; e < 2; ++e) {
      const auto op = static_cast<std::uint32_t>(e == 0 ? parts->value : parts->overflow);
      add(&i, e, {x, y}, [=, this](Builder& b) { return apply(b, op, width(x->getType()), x, y); });
    }
    return true;
  }
  if (i.getIntrinsicID() == llvm::Intrinsic::expect) {
    add(&i, 0, {x}, [=, this](Builder&) { return term(x); });
    return true;
  }
  const bool funnel = i.getIntrinsicID() == llvm::Intrinsic::fshl || i.getIntrinsicID() == llvm::Intrinsic::fshr;
  if (funnel && trackable(i.getType())) {
    llvm::Value *y = i.getArgOperand(1), *count = i.getArgOperand(2);
    const bool left = i.getIntrinsicID() == llvm::Intrinsic::fshl;
    if (tracked(count)) concretise(count, i);
    add(&i, 0, {x, y}, [=, this](Builder& b) {
      return call(
          b, "heddle_sym_funnel", i32_,
          {i32(width(x->getType())), term(x), number(b, x), term(y), number(b, y), number(b, count), i32(left)});
    });
    return true;
  }
  const auto op = plain_intrinsic(i.getIntrinsicID());
  if (!op || !trackable(i.getType())) return false;
  const bool unary = *op == SymbolicOp::kAbs || *op == SymbolicOp::kByteSwap;
  llvm::Value* y = unary ? nullptr : i.getArgOperand(1);
  llvm::SmallVector<const llvm::Value*, 2> operands = {x};
  if (y) operands.push_back(y);
  add(&i, 0, operands,
      [=, this](Builder& b) { return apply(b, static_cast<std::uint32_t>(*op), width(x->getType()), x, y); });
  return true;
}

void Tracker::visit_call(llvm::CallBase& i) {
  if (auto* intrinsic = dyn_cast<llvm::IntrinsicInst>(&i))
    if (visit_intrinsic(*intrinsic)) return;
  if (isa<llvm::IntrinsicInst>(i) || i.isInlineAsm()) {
    for (llvm::Value* argument : i.args())
      if (trackable(argument->getType()) && tracked(argument)) concretise(argument, i);
    if (i.isInlineAsm()) show_memory(i);
    if (i.isTerminator()) flush(&i);
    return;
  }
  if (only_tells_comparison(i)) return;  // it is for people, and decides nothing
  redirect(i);
  show_destination(i);
  pass_arguments(i);
  flush(&i);
  hand_structures(i);
  show_memory(i);
  show_bounds(i);
  if (i.isMustTailCall()) return;
  check_text(i);
  const llvm::Function* callee = i.getCalledFunction();
  const bool known = callee && !callee->isDeclaration() && callee->hasExactDefinition();
  take_result(i, known);
}

void Tracker::redirect(llvm::CallBase& i) {
  llvm::Function* callee = i.getCalledFunction();
  if (!callee || !callee->isDeclaration() || !modelled_functions().contains(callee->getName())) return;
  const std::string name = "heddle_sym_" + callee->getName().str();
  i.setCalledFunction(module_.getOrInsertFunction(name, callee->getFunctionType()));
  // What is known of the library's function does not hold: ours lets others run.
  i.setAttributes(llvm::AttributeList());
}

// The objects that a modelled function writes to and reads from, if their sizes are known here.
void Tracker::show_bounds(llvm::CallBase& i) {
  const llvm::Function* callee = i.getCalledFunction();
  if (!callee) return;
  const BoundArguments bound = bound_arguments(callee->getName());
  auto* words = llvm::ArrayType::get(i64_, 4);
  for (const auto& [argument, first] : {std::pair{bound.to, 0u}, std::pair{bound.from, 2u}}) {
    if (argument < 0 || static_cast<unsigned>(argument) >= i.arg_size()) continue;
    const Object object = object_of(i.getArgOperand(static_cast<unsigned>(argument)));
    if (object.extent == 0) continue;
    Builder b(&i);
    llvm::Value* record = module_.getOrInsertGlobal("heddle_sym_bounds", words);
    quiet_store(b, b.CreatePtrToInt(object.base, i64_), b.CreateConstInBoundsGEP2_32(words, record, 0, first));
    quiet_store(b, b.getInt64(object.extent), b.CreateConstInBoundsGEP2_32(words, record, 0, first + 1));
  }
}

// A function of the library's that leaves a text at its first argument has been called: does it end inside its object?
void Tracker::check_text(llvm::CallBase& i) {
  const llvm::Function* callee = i.getCalledFunction();
  if (!callee || !callee->isDeclaration() || !leaves_text(callee->getName()) || i.arg_size() == 0) return;
  llvm::Value* text = i.getArgOperand(0);
  const Object object = object_of(text);
  if (object.extent == 0) return;
  Builder b(after(i));
  b.SetCurrentDebugLocation(i.getDebugLoc());
  call(b, "heddle_sym_text_end", b.getVoidTy(), {text, object.base, b.getInt64(object.extent)});
}

// Where what is printed goes (runtime/written_values.h).
void Tracker::show_destination(llvm::CallBase& i) {
  const llvm::Function* callee = i.getCalledFunction();
  const int k = callee && callee->isDeclaration() ? destination_argument(callee->getName()) : -1;
  if (k < 0 || static_cast<unsigned>(k) >= i.arg_size()) return;
  Builder b(&i);
  llvm::Value* to = i.getArgOperand(static_cast<unsigned>(k));
  if (to->getType()->isIntegerTy()) to = b.CreateIntToPtr(b.CreateZExtOrTrunc(to, i64_), b.getPtrTy());
  quiet_store(b, to, module_.getOrInsertGlobal("heddle_sym_destination", b.getPtrTy()));
}

// For the report, and to know a function that only prints.
llvm::Value* Tracker::callee_name(Builder& b, llvm::Value* callee) {
  const auto* function = dyn_cast<llvm::Function>(callee);
  if (!function) return llvm::ConstantPointerNull::get(b.getPtrTy());
  return b.CreateGlobalString(function->getName(), "heddle_sym_name", 0, &module_);
}

void Tracker::pass_arguments(llvm::CallBase& i) {
  llvm::SmallVector<std::pair<unsigned, llvm::Value*>, 8> mine;
  llvm::SmallVector<const llvm::Value*, 8> operands;
  for (unsigned k = 0; k < i.arg_size(); ++k) {
    llvm::Value* argument = i.getArgOperand(k);
    if (!trackable(argument->getType()) || !tracked(argument)) continue;
    if (k >= protocol::kSymbolicArguments ||
        (i.getFunctionType()->isVarArg() && k >= i.getFunctionType()->getNumParams())) {
      // Beyond the record, or fetched from memory by va_arg.
      add(nullptr, 0, {argument}, [=, this, callee = i.getCalledOperand()](Builder& b) {
        return call(b, "heddle_sym_variadic", b.getVoidTy(),
                    {callee, term(argument), number(b, argument), callee_name(b, callee)});
      });
      continue;
    }
    mine.emplace_back(k, argument);
    operands.push_back(argument);
  }
  // Whatever a function is called with must be seen even if it is the address of the function that depends on inputs.
  if (llvm::Value* callee = i.getCalledOperand(); tracked(callee)) concretise(callee, i);
  if (mine.empty()) return;
  llvm::SmallVector<llvm::Value*, 8> all(i.args());
  add(nullptr, 0, operands, [=, this, callee = i.getCalledOperand()](Builder& b) {
    unsigned last = 0;
    for (unsigned k = 0; k < all.size() && k < protocol::kSymbolicArguments; ++k) {
      llvm::Value* argument = all[k];
      const bool ours = llvm::any_of(mine, [&](const auto& m) { return m.first == k; });
      quiet_store(b, ours ? term(argument) : i32(0), slot(b, 2, k));
      if (ours) quiet_store(b, number(b, argument), slot(b, 4, k));
      last = k + 1;
    }
    return call(b, "heddle_sym_pass", b.getVoidTy(), {callee, i32(last), callee_name(b, callee)});
  });
}

// A structure that is passed by value is copied by the call itself, where nobody sees it: the caller says where from,
// the callee where to, and the runtime copies the terms.
void Tracker::hand_structures(llvm::CallBase& i) {
  for (unsigned k = 0; k < i.arg_size(); ++k) {
    if (!i.isByValArgument(k)) continue;
    const std::uint64_t size = module_.getDataLayout().getTypeAllocSize(i.getParamByValType(k));
    llvm::Value* callee = i.getCalledOperand();
    if_memory_has_terms(&i, [&](Builder& b) {
      call(b, "heddle_sym_hand_over", b.getVoidTy(),
           {callee, i32(k), i.getArgOperand(k), llvm::ConstantInt::get(i64_, size), callee_name(b, callee)});
    });
  }
}

void Tracker::take_structures() {
  llvm::Instruction* first = &*function_.getEntryBlock().getFirstInsertionPt();
  while (isa<llvm::AllocaInst>(first)) first = first->getNextNode();
  for (llvm::Argument& a : function_.args()) {
    if (!a.hasByValAttr()) continue;
    const std::uint64_t size = module_.getDataLayout().getTypeAllocSize(a.getParamByValType());
    if_memory_has_terms(first, [&](Builder& b) {
      call(b, "heddle_sym_take_over", b.getVoidTy(),
           {&function_, i32(a.getArgNo()), &a, llvm::ConstantInt::get(i64_, size)});
    });
  }
}

// Before the instruction, if memory holds a term in this execution.
void Tracker::if_memory_has_terms(llvm::Instruction* before, llvm::function_ref<void(Builder&)> emit) {
  Builder b(before);
  auto* live = cast<llvm::GlobalVariable>(module_.getOrInsertGlobal("heddle_sym_live", i32_));
  Builder cold(cold_block(b.CreateICmpNE(quiet_load(b, i32_, live), i32(0)), before));
  cold.SetCurrentDebugLocation(before->getDebugLoc());
  emit(cold);
}

// A function without tracking that is given memory with terms reads it unseen: the result must say so.
void Tracker::show_memory(llvm::CallBase& i) {
  const llvm::Function* callee = i.getCalledFunction();
  if (!i.isInlineAsm() && (!callee || !callee->isDeclaration() || knows_terms(callee->getName()))) return;
  llvm::SmallVector<llvm::Value*, 4> pointers;
  for (llvm::Value* argument : i.args())
    if (argument->getType()->isPointerTy() && trackable(argument->getType()) && !is_without_terms(argument))
      pointers.push_back(argument);
  if (pointers.empty()) return;
  if_memory_has_terms(&i, [&](Builder& b) {
    llvm::Value* name = i.isInlineAsm() ? b.CreateGlobalString("inline assembly", "heddle_sym_name", 0, &module_)
                                        : callee_name(b, i.getCalledOperand());
    for (llvm::Value* p : pointers) {
      const Object object = object_of(p);
      call(b, "heddle_sym_external", b.getVoidTy(), {p, name, object.base, b.getInt64(object.extent)});
    }
  });
}

void Tracker::take_result(llvm::CallBase& i, bool callee_tracked) {
  const unsigned count = elements(i.getType());
  if (count == 0) return;
  if (!callee_tracked) {
    Builder b(&i);
    quiet_store(b, i32(0), slot(b, 3, 0));
    for (unsigned e = 1; e < count; ++e) quiet_store(b, i32(0), slot(b, 3, e));
  }
  if (i.use_empty()) return;
  llvm::Instruction* next = after(i);
  Builder b(next);
  b.SetCurrentDebugLocation(i.getDebugLoc());
  llvm::Value* any = nullptr;
  for (unsigned e = 0; e < count; ++e) {
    llvm::Value* t = quiet_load(b, i32_, slot(b, 3, e));
    set_term(&i, t, e);
    any = any ? b.CreateOr(any, t) : t;
  }
  if (callee_tracked) return;
  // Library code may have called back into ours, whose result this is then.
  llvm::BasicBlock* head = next->getParent();
  llvm::Instruction* end = cold_block(b.CreateICmpNE(any, i32(0)), next);
  Builder cold(end);
  cold.SetCurrentDebugLocation(i.getDebugLoc());
  llvm::Value* valid = call(cold, "heddle_sym_returned", i32_, {i.getCalledOperand()});
  Builder join(next->getParent(), next->getParent()->begin());
  for (unsigned e = 0; e < count; ++e) {
    llvm::Value* t = cold.CreateAnd(term(&i, e), valid);
    llvm::PHINode* phi = join.CreatePHI(i32_, 2);
    phi->addIncoming(i32(0), head);
    phi->addIncoming(t, end->getParent());
    set_term(&i, phi, e);
  }
}

}  // namespace heddle::pass
