// What races and what interleaves is a property of the source, not of what an optimiser makes of it. Without care it
// makes `select(c, load a, load b)` of `load(select(c, &a, &b))`, and b is read where the source does not; it drops a
// read whose value nobody uses, and the race that it was part of; it merges two reads into one, and the interleavings
// between them are gone. All of that is right for a program without races, which is what is to be found out.
//
// To instrument before the optimiser would be exact and slow: before inlining, nearly every local variable has its
// address passed to some small function and looks shared. So accesses are only *held* at first: they are made volatile,
// which is LLVM's word for "exactly as written". Whenever the optimiser has
// inlined and cleaned up, those whose object is a local that does not leave the function (any more) are released, and
// the local becomes a register as usual. In the end the others are announced and released as well.
//
// Functions of the C library are accesses, too, and the optimiser knows them: it drops `strcmp` and `free(strdup(p))`
// of which nobody uses the result, and looks at one byte for `strlen(p) == 0`. So calls that may be given shared memory
// are not known to it (`nobuiltin`), and their results are used. The code generator drops calls that only read as well.
//
// What it costs: shared memory is read as often as the source says, also in loops, and not by vectors. Each access is a
// call into the runtime anyway.
//
// A volatile access makes its address known to the outside, as LLVM sees it, so it could never be found out that a
// local is private. Held accesses do not count here, and parameters through which a function passes nothing on are told
// by the same reckoning.
#include "native/pass/source_accesses.h"

#include <llvm/Analysis/MemoryBuiltins.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Scalar/SROA.h>

#include "native/pass/sharing.h"

namespace heddle::pass {
namespace {

using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

// A copy that is held. SROA would split even a volatile memcpy into one access per field, so it becomes a call of a
// function that is not known to anybody, with the same operands as the intrinsic, and an intrinsic again in the end.
constexpr const char* kCopy = "heddle.held.memcpy";
constexpr const char* kMove = "heddle.held.memmove";
constexpr const char* kSet = "heddle.held.memset";
// A call that keeps a local variable where it is, whose accesses the source calls volatile: SROA would rewrite them,
// and their marks would be gone.
constexpr const char* kKeep = "heddle.keep";
// A call that uses the result of a library function; behind it the type.
constexpr const char* kUsed = "heddle.used.";

llvm::StringRef name_of_callee(const llvm::Instruction& i) {
  const auto* call = dyn_cast<llvm::CallInst>(&i);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee ? callee->getName() : llvm::StringRef();
}

bool is_held_transfer(const llvm::Instruction& i) { return name_of_callee(i).starts_with("heddle.held."); }

void call_marker(llvm::IRBuilder<>& at, const char* name, llvm::ArrayRef<llvm::Value*> operands) {
  llvm::Module& module = *at.GetInsertBlock()->getModule();
  llvm::LLVMContext& context = module.getContext();
  llvm::SmallVector<llvm::Type*, 3> types;
  llvm::AttributeList attributes;
  for (llvm::Value* operand : operands) {
    if (operand->getType()->isPointerTy())
      attributes =
          attributes.addParamAttribute(context, static_cast<unsigned>(types.size()), llvm::Attribute::NoCapture);
    types.push_back(operand->getType());
  }
  attributes = attributes.addFnAttribute(context, llvm::Attribute::NoUnwind)
                   .addFnAttribute(context, llvm::Attribute::WillReturn)
                   .addFnAttribute(context, llvm::Attribute::getWithMemoryEffects(
                                                context, llvm::MemoryEffects::inaccessibleOrArgMemOnly()));
  auto* type = llvm::FunctionType::get(at.getVoidTy(), types, /*isVarArg=*/false);
  at.CreateCall(module.getOrInsertFunction(name, type, attributes), operands);
}

void hold_transfer(llvm::MemIntrinsic& intrinsic) {
  llvm::IRBuilder<> at(&intrinsic);
  llvm::Value* bytes = at.CreateZExtOrTrunc(intrinsic.getLength(), at.getInt64Ty());
  if (auto* set = dyn_cast<llvm::MemSetInst>(&intrinsic))
    call_marker(at, kSet, {set->getRawDest(), set->getValue(), bytes});
  else
    call_marker(at, isa<llvm::MemMoveInst>(intrinsic) ? kMove : kCopy,
                {intrinsic.getRawDest(), cast<llvm::MemTransferInst>(intrinsic).getRawSource(), bytes});
  intrinsic.eraseFromParent();
}

void release_transfer(llvm::CallInst& call) {
  llvm::IRBuilder<> at(&call);
  llvm::Value *to = call.getArgOperand(0), *from = call.getArgOperand(1), *bytes = call.getArgOperand(2);
  const llvm::StringRef name = call.getCalledFunction()->getName();
  if (name == kSet)
    at.CreateMemSet(to, from, bytes, llvm::MaybeAlign());
  else if (name == kMove)
    at.CreateMemMove(to, llvm::MaybeAlign(), from, llvm::MaybeAlign(), bytes);
  else
    at.CreateMemCpy(to, llvm::MaybeAlign(), from, llvm::MaybeAlign(), bytes);
  call.eraseFromParent();
}

void set_volatile(llvm::Instruction& access, bool on) {
  if (auto* load = dyn_cast<llvm::LoadInst>(&access))
    load->setVolatile(on);
  else if (auto* store = dyn_cast<llvm::StoreInst>(&access))
    store->setVolatile(on);
  else if (auto* update = dyn_cast<llvm::AtomicRMWInst>(&access))
    update->setVolatile(on);
  else if (auto* exchange = dyn_cast<llvm::AtomicCmpXchgInst>(&access))
    exchange->setVolatile(on);
}

void release(llvm::Instruction& access) {
  if (is_held_transfer(access))
    release_transfer(cast<llvm::CallInst>(access));
  else
    set_volatile(access, false);
}

// The addresses that an instruction accesses, of the kinds that are held.
llvm::SmallVector<const llvm::Value*, 2> addresses(const llvm::Instruction& i) {
  if (const llvm::Value* address = llvm::getLoadStorePointerOperand(&i)) return {address};
  if (auto* update = dyn_cast<llvm::AtomicRMWInst>(&i)) return {update->getPointerOperand()};
  if (auto* exchange = dyn_cast<llvm::AtomicCmpXchgInst>(&i)) return {exchange->getPointerOperand()};
  const bool transfer = isa<llvm::MemIntrinsic>(i) || is_held_transfer(i);
  llvm::SmallVector<const llvm::Value*, 2> both;
  if (transfer)
    for (unsigned o : {0u, 1u})
      if (i.getOperand(o)->getType()->isPointerTy()) both.push_back(i.getOperand(o));
  return both;
}

bool may_be_shared(const llvm::Instruction& access) {
  return llvm::any_of(addresses(access), [](const llvm::Value* a) { return pass::may_be_shared(*a); });
}

// An argument passed by value in memory is copied by the call: a read of the whole of it. The copy is made in front of
// the call, where it can be held; after inlining, only those parts would be read that the callee looks at.
void copy_by_value_arguments(llvm::CallBase& call) {
  const llvm::DataLayout& layout = call.getModule()->getDataLayout();
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    if (!call.isByValArgument(i) || !pass::may_be_shared(*call.getArgOperand(i))) continue;
    llvm::Type* type = call.getParamByValType(i);
    llvm::IRBuilder<> entry(&*call.getFunction()->getEntryBlock().getFirstInsertionPt());
    llvm::AllocaInst* copy = entry.CreateAlloca(type);
    if (const llvm::MaybeAlign align = call.getParamAlign(i)) copy->setAlignment(std::max(*align, copy->getAlign()));
    llvm::IRBuilder<> at(&call);
    call_marker(at, kCopy, {copy, call.getArgOperand(i), at.getInt64(layout.getTypeAllocSize(type))});
    call.setArgOperand(i, copy);
  }
}

// Does it call a function that the optimiser knows, with memory that others may know, and does not free that?
bool reads_by_library(const llvm::CallInst& call, const llvm::TargetLibraryInfo& library) {
  llvm::LibFunc function;
  if (call.isMustTailCall() || !library.getLibFunc(call, function) || llvm::getFreedOperand(&call, &library))
    return false;
  return llvm::any_of(call.args(), [](const llvm::Use& argument) {
    return argument->getType()->isPointerTy() && pass::may_be_shared(*argument);
  });
}

void hold_library_call(llvm::CallInst& call) {
  call.addFnAttr(llvm::Attribute::NoBuiltin);
  llvm::Type* type = call.getType();
  if (!type->isPointerTy() && !type->isIntegerTy()) return;
  const std::string user = kUsed + (type->isPointerTy() ? "pointer" : std::to_string(type->getIntegerBitWidth()));
  llvm::IRBuilder<> after(call.getNextNode());
  call_marker(after, user.c_str(), {&call});
}

void mark_volatile(llvm::Instruction& i) {
  i.setMetadata(kVolatileInSource, llvm::MDNode::get(i.getContext(), {}));
  for (const llvm::Value* address : addresses(i))
    if (llvm::AllocaInst* local = llvm::findAllocaForValue(const_cast<llvm::Value*>(address))) {
      llvm::IRBuilder<> at(local->getNextNode());
      call_marker(at, kKeep, {local});
    }
}

void hold(llvm::Instruction& i) {
  if (i.getMetadata(llvm::LLVMContext::MD_nosanitize) != nullptr) return;
  if (i.isVolatile()) return mark_volatile(i);
  if (may_be_shared(i)) {
    if (auto* memory = dyn_cast<llvm::MemIntrinsic>(&i))
      hold_transfer(*memory);
    else
      set_volatile(i, true);
  } else if (auto* call = dyn_cast<llvm::CallBase>(&i); call && !call->isMustTailCall()) {
    copy_by_value_arguments(*call);
  }
}

// What LLVM infers of functions that have no volatile accesses; here also of inline functions, of which another file
// may have the definition that is linked: it is made from the same source, and passes on what this one passes on.
void note_private_parameters(llvm::Function& function) {
  if (function.isDeclaration() || function.isInterposable()) return;
  for (llvm::Argument& argument : function.args())
    if (argument.getType()->isPointerTy() && !argument.hasNoCaptureAttr() && !escapes(argument))
      argument.addAttr(llvm::Attribute::get(function.getContext(), kKeptPrivate));
}

}  // namespace

void hold_accesses(llvm::Function& function) {
  const llvm::TargetLibraryInfoImpl known(llvm::Triple(function.getParent()->getTargetTriple()));
  const llvm::TargetLibraryInfo library(known, &function);
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* call = dyn_cast<llvm::CallInst>(&i);
    if (call != nullptr && reads_by_library(*call, library)) hold_library_call(*call);
    hold(i);
  }
}

void keep_pure_calls(llvm::Module& module) {
  const auto only_reads = [](llvm::MemoryEffects effects) {
    return effects.onlyReadsMemory() && !effects.doesNotAccessMemory();
  };
  for (llvm::Function& function : module) {
    if (!function.isIntrinsic() && only_reads(function.getMemoryEffects()))
      function.removeFnAttr(llvm::Attribute::Memory);
    for (llvm::Instruction& i : llvm::instructions(function)) {
      auto* call = dyn_cast<llvm::CallBase>(&i);
      if (call != nullptr && !isa<llvm::IntrinsicInst>(call) && only_reads(call->getAttributes().getMemoryEffects()))
        call->removeFnAttr(llvm::Attribute::Memory);
    }
  }
}

bool release_private_accesses(llvm::Function& function) {
  bool released = false;
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (!(is_held(i) || is_held_transfer(i)) || may_be_shared(i)) continue;
    release(i);
    released = true;
  }
  note_private_parameters(function);
  return released;
}

void release_transfers(llvm::Function& function) {
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(function)))
    if (is_held_transfer(i))
      release(i);
    else if (name_of_callee(i) == kKeep || name_of_callee(i).starts_with(kUsed))
      i.eraseFromParent();
}

void release_all_accesses(llvm::Function& function) {
  for (llvm::Instruction& i : llvm::instructions(function))
    if (is_held(i)) release(i);
}

llvm::PreservedAnalyses ReleasePrivateAccesses::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (!release_private_accesses(function)) return llvm::PreservedAnalyses::all();
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  llvm::SROAPass(llvm::SROAOptions::PreserveCFG).run(function, analyses);
  return llvm::PreservedAnalyses::none();
}

}  // namespace heddle::pass
