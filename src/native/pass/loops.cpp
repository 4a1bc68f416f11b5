// A turn of a waiting loop is in vain if the thread stands at its end as it stood at its beginning (runtime/turns.h).
// Where that is, and what the thread's state is there, is a matter of the source: frames and registers as the code
// generator leaves them are full of values that nobody needs any more, others at every level of optimisation.
//
// Where. Before the optimiser begins, the head of every loop that may look at something gets a call, the mark, and the
// ways into the loop get another one. Marks are `convergent`, LLVM's word for calls that may not be made to depend on
// more conditions than they do, and loops with marks are not unrolled: none is turned round or peeled, by which the
// first turns would stand elsewhere than the others. Inlining copies them, which does no harm: a loop is the place of
// its mark in the program.
//
// What. After the optimiser everything that the thread carries round is known: values that are needed from the mark on
// and local variables likewise (liveness.h). They are handed over one by one, if the runtime wants them (nobody has
// waited in a loop in most programs; then a mark is a test of a byte). Frames further up do not change while the loop
// runs, but through pointers, and those writes are announced.
//
// A loop that only works on what is its own can wait for nothing. As soon as that shows, its mark is taken away,
// and the optimiser may do with it as it likes.
#include "native/pass/loops.h"

#include <algorithm>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Support/MD5.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "native/pass/counters.h"
#include "native/pass/liveness.h"
#include "native/pass/pauses.h"

namespace heddle::pass {
namespace {

using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

constexpr const char* kTurn = "heddle_turn";
constexpr const char* kEnter = "heddle_enter_loop";
constexpr const char* kWanted = "heddle_spinning_suspected";
// Beside the number of a loop (runtime/turns.cpp).
constexpr std::uint64_t kCounterIsPrivate = 1, kOnlyPausesDiffer = 2;

bool calls(const llvm::Instruction& i, llvm::StringRef name) {
  const auto* call = dyn_cast<llvm::CallInst>(&i);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee != nullptr && callee->getName() == name;
}
bool is_mark(const llvm::Instruction& i) { return calls(i, kTurn) || calls(i, kEnter); }

// May another thread see or decide what this does? Accesses that may be shared are volatile as long as they are held.
bool may_look(const llvm::Instruction& i) {
  if (i.isAtomic() || i.isVolatile()) return true;
  // Assembly without text keeps the optimiser away, and does nothing.
  const auto* call = dyn_cast<llvm::CallBase>(&i);
  const auto* assembly = call ? dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
  if (assembly != nullptr && assembly->getAsmString().empty()) return false;
  return call != nullptr && !isa<llvm::IntrinsicInst>(i) && !is_mark(i) && i.mayReadOrWriteMemory();
}

bool may_wait(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) { return llvm::any_of(*block, may_look); });
}

// Functions that come back to where they have been by other ways than loops.
bool has_unusual_frame(const llvm::Function& function) {
  return function.isPresplitCoroutine() || function.callsFunctionThatReturnsTwice();
}

void call_mark(llvm::Instruction* before, const char* name, std::uint64_t loop, const llvm::DebugLoc& place) {
  llvm::Module& module = *before->getModule();
  llvm::LLVMContext& context = module.getContext();
  llvm::IRBuilder<> at(before);
  at.SetCurrentDebugLocation(place);
  auto attributes = llvm::AttributeList()
                        .addFnAttribute(context, llvm::Attribute::NoUnwind)
                        .addFnAttribute(context, llvm::Attribute::getWithMemoryEffects(
                                                     context, llvm::MemoryEffects::inaccessibleMemOnly()));
  if (name == kTurn) attributes = attributes.addFnAttribute(context, llvm::Attribute::Convergent);
  auto* type = llvm::FunctionType::get(at.getVoidTy(), {at.getInt64Ty()}, /*isVarArg=*/false);
  at.CreateCall(module.getOrInsertFunction(name, type, attributes), {at.getInt64(loop)});
}

constexpr const char* kNotUnrolled = "llvm.loop.unroll.disable";

void allow_unrolling(llvm::Loop& loop) {
  loop.setLoopID(
      llvm::makePostTransformationMetadata(loop.getHeader()->getContext(), loop.getLoopID(), {kNotUnrolled}, {}));
}

void mark(llvm::Loop& loop, std::uint64_t number) {
  llvm::BasicBlock* head = loop.getHeader();
  const llvm::DebugLoc place = loop.getStartLoc();
  call_mark(&*head->getFirstInsertionPt(), kTurn, number, place);
  for (llvm::BasicBlock* before : llvm::predecessors(head))
    if (!loop.contains(before)) call_mark(before->getTerminator(), kEnter, number, place);
  llvm::addStringMetadataToLoop(&loop, kNotUnrolled, 1);
}

// Hands over what is alive at one mark.
class HandOver {
 public:
  HandOver(Callbacks& callbacks, llvm::IRBuilder<>& at) : callbacks_(callbacks), at_(at) {}

  void value(llvm::Instruction& v) {
    llvm::Type* type = v.getType();
    const llvm::DataLayout& layout = v.getModule()->getDataLayout();
    if (type->isPointerTy())
      callbacks_.turn_value(at_, at_.CreatePtrToInt(&v, at_.getInt64Ty()));
    else if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64)
      callbacks_.turn_value(at_, at_.CreateZExt(&v, at_.getInt64Ty()));
    else if (type->isFloatTy() || type->isDoubleTy())
      callbacks_.turn_value(
          at_, at_.CreateZExt(at_.CreateBitCast(&v, at_.getIntNTy(type->getPrimitiveSizeInBits())), at_.getInt64Ty()));
    else if (type->isSized() && !layout.getTypeAllocSize(type).isScalable())
      in_memory(v);
  }

  void memory(llvm::Value& address, std::uint64_t bytes) { callbacks_.turn_memory(at_, &address, at_.getInt64(bytes)); }

  // An array whose length is known when it is made.
  void array(llvm::AllocaInst& local, std::uint64_t bytes_of_element) {
    llvm::Value* length = at_.CreateZExtOrTrunc(local.getArraySize(), at_.getInt64Ty());
    callbacks_.turn_memory(at_, &local, at_.CreateMul(length, at_.getInt64(bytes_of_element)));
  }

 private:
  // Vectors, structures, long double: by way of a variable, whose unused bytes are always the same.
  void in_memory(llvm::Instruction& v) {
    const std::uint64_t bytes = v.getModule()->getDataLayout().getTypeAllocSize(v.getType());
    llvm::IRBuilder<> entry(&*v.getFunction()->getEntryBlock().getFirstInsertionPt());
    llvm::AllocaInst* copy = entry.CreateAlloca(v.getType());
    at_.CreateMemSet(copy, at_.getInt8(0), bytes, copy->getAlign());
    at_.CreateStore(&v, copy);
    memory(*copy, bytes);
  }

  Callbacks& callbacks_;
  llvm::IRBuilder<>& at_;
};

// An atomic object is shared, wherever it lies: what happens to it is a matter of steps, not of how the thread stands.
// Without optimisation its operations are functions of <atomic>, and its type tells; in C they are instructions.
bool is_atomic_object(const llvm::AllocaInst& local) {
  const auto* type = dyn_cast<llvm::StructType>(local.getAllocatedType());
  if (type != nullptr && type->hasName() && type->getName().starts_with("struct.std::atomic")) return true;
  if (local.getAllocatedType()->isAggregateType()) return false;
  bool atomic = false;
  for (const llvm::Use& use : local.uses()) {
    const auto* i = dyn_cast<llvm::Instruction>(use.getUser());
    if (i == nullptr || (isa<llvm::LoadInst>(i) && !i->isAtomic())) return false;
    atomic = atomic ||
             (i->isAtomic() && use.getOperandNo() == (isa<llvm::StoreInst>(i) ? 1u : 0u) && !isa<llvm::CallBase>(i));
  }
  return atomic;
}

struct Alive {
  llvm::CallInst* mark;
  llvm::SmallVector<llvm::Instruction*, 8> values;
  llvm::SmallVector<std::pair<llvm::Value*, std::uint64_t>, 8> memory;
  llvm::SmallVector<std::pair<llvm::AllocaInst*, std::uint64_t>, 1> arrays;
};

// An array of variable length is there from where it is made.
void find_array(llvm::AllocaInst& local, const llvm::DominatorTree& dominators, llvm::MutableArrayRef<Alive> marks) {
  const llvm::TypeSize bytes = local.getModule()->getDataLayout().getTypeAllocSize(local.getAllocatedType());
  if (bytes.isScalable()) return;
  const LiveVariable variable(local);
  for (Alive& alive : marks)
    if (dominators.dominates(&local, alive.mark) && variable.needed_at(*alive.mark))
      alive.arrays.emplace_back(&local, bytes.getFixedValue());
}

void find_alive(llvm::Function& function, llvm::MutableArrayRef<Alive> marks) {
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  const llvm::DominatorTree dominators(function);
  for (llvm::Instruction& i : llvm::instructions(function)) {
    if (auto* local = dyn_cast<llvm::AllocaInst>(&i)) {
      if (is_atomic_object(*local)) continue;
      if (!local->isStaticAlloca()) {
        find_array(*local, dominators, marks);
        continue;
      }
      const LiveVariable variable(*local);
      const auto size = local->getAllocationSize(layout);
      if (!size || size->isScalable()) continue;
      for (Alive& alive : marks)
        if (variable.needed_at(*alive.mark)) alive.memory.emplace_back(local, size->getFixedValue());
    } else if (!i.getType()->isVoidTy() && !i.getType()->isTokenTy()) {
      const LiveValue value(i);
      for (Alive& alive : marks)
        if (value.needed_at(*alive.mark)) alive.values.push_back(&i);
    }
  }
  for (llvm::Argument& argument : function.args())
    if (argument.hasByValAttr())
      for (Alive& alive : marks)
        alive.memory.emplace_back(&argument, layout.getTypeAllocSize(argument.getParamByValType()));
}

// What is known of counters beforehand.
void note_counters(llvm::Function& function, llvm::ArrayRef<Alive> marks) {
  const llvm::DominatorTree dominators(function);
  const llvm::PostDominatorTree ends(function);
  const llvm::LoopInfo loops(dominators);
  for (const Alive& alive : marks) {
    const llvm::Loop* loop = loops.getLoopFor(alive.mark->getParent());
    if (loop == nullptr) continue;
    const auto* number = cast<llvm::ConstantInt>(alive.mark->getArgOperand(0));
    const Carried carried = use_of_carried(*loop, *alive.mark, ends);
    const bool is_private = carried == Carried::kOnlyForPauses || counts_for_itself(*loop, *alive.mark);
    const std::uint64_t known =
        (is_private ? kCounterIsPrivate : 0) | (carried != Carried::kMatters ? kOnlyPausesDiffer : 0);
    alive.mark->setArgOperand(0, llvm::ConstantInt::get(number->getType(), number->getZExtValue() | known));
  }
}

// Splits the block so that what follows is done only if the runtime wants it.
llvm::Instruction* if_wanted(llvm::CallInst& call) {
  llvm::IRBuilder<> at(&call);
  llvm::Value* wanted = at.CreateLoad(at.getInt8Ty(), call.getModule()->getOrInsertGlobal(kWanted, at.getInt8Ty()));
  cast<llvm::LoadInst>(wanted)->setMetadata(llvm::LLVMContext::MD_nosanitize, llvm::MDNode::get(call.getContext(), {}));
  llvm::Instruction* then =
      llvm::SplitBlockAndInsertIfThen(at.CreateICmpNE(wanted, at.getInt8(0)), call.getIterator(), /*Unreachable=*/false,
                                      llvm::MDBuilder(call.getContext()).createUnlikelyBranchWeights());
  call.moveBefore(then);
  return &call;
}

}  // namespace

void mark_loops(llvm::Function& function) {
  if (has_unusual_frame(function)) return;
  const llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  unsigned number = 0;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    ++number;
    if (!loop->getHeader()->isEHPad() && may_wait(*loop))
      mark(*loop, llvm::MD5Hash((function.getName() + "#" + llvm::Twine(number)).str()) &
                      ~(kCounterIsPrivate | kOnlyPausesDiffer));
  }
}

void hand_over_turns(Callbacks& callbacks, llvm::Function& function) {
  llvm::SmallVector<Alive, 4> marks;
  llvm::SmallVector<llvm::CallInst*, 4> entries;
  for (llvm::Instruction& i : llvm::instructions(function))
    if (calls(i, kTurn))
      marks.push_back({cast<llvm::CallInst>(&i), {}, {}, {}});
    else if (calls(i, kEnter))
      entries.push_back(cast<llvm::CallInst>(&i));
  if (!marks.empty()) {
    find_alive(function, marks);
    note_counters(function, marks);
  }
  for (Alive& alive : marks) {
    llvm::IRBuilder<> at(if_wanted(*alive.mark));
    HandOver hand_over(callbacks, at);
    for (llvm::Instruction* v : alive.values) hand_over.value(*v);
    // Variables that others know come last: what may be known of the rest (pauses.h) is not known of these.
    std::stable_partition(alive.memory.begin(), alive.memory.end(),
                          [](const auto& x) { return is_kept_local(*x.first); });
    bool shared = false;
    for (const auto& [address, bytes] : alive.memory) {
      if (!shared && !is_kept_local(*address)) callbacks.turn_shared(at);
      shared = shared || !is_kept_local(*address);
      hand_over.memory(*address, bytes);
    }
    if (!shared && !alive.arrays.empty()) callbacks.turn_shared(at);
    for (const auto& [local, bytes] : alive.arrays) hand_over.array(*local, bytes);
  }
  for (llvm::CallInst* entry : entries) if_wanted(*entry);
}

llvm::PreservedAnalyses ReleaseLoops::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::Instruction*, 8> marks;
  for (llvm::Instruction& i : llvm::instructions(function))
    if (is_mark(i)) marks.push_back(&i);
  if (marks.empty()) return llvm::PreservedAnalyses::all();
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  const auto number_of = [](const llvm::Instruction& mark) { return mark.getOperand(0); };
  llvm::SmallPtrSet<const llvm::Value*, 8> kept;
  bool changed = false;
  for (llvm::Instruction*& i : marks) {
    llvm::Loop* loop = loops.getLoopFor(i->getParent());
    if (!calls(*i, kTurn)) continue;
    if (loop != nullptr && may_wait(*loop)) {
      kept.insert(number_of(*i));
      continue;
    }
    if (loop != nullptr) allow_unrolling(*loop);
    i->eraseFromParent();
    i = nullptr;
    changed = true;
  }
  for (llvm::Instruction* i : marks) {
    if (i == nullptr || calls(*i, kTurn) || kept.contains(number_of(*i))) continue;
    i->eraseFromParent();
    changed = true;
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}  // namespace heddle::pass
