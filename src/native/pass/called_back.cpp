#include "native/pass/called_back.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "native/pass/instrument.h"

namespace heddle::pass {
namespace {

constexpr const char* kWanted = "heddle_unseen_libraries";
constexpr const char* kBegins = "heddle_called_back";
constexpr const char* kReturns = "heddle_returns";

// if (heddle_unseen_libraries) NAME(where the function returns to);
void tell(llvm::Instruction& before, const char* name) {
  llvm::Module& module = *before.getModule();
  llvm::IRBuilder<> at(&before);
  // Calls in functions with debug information need a place.
  if (!before.getDebugLoc())
    if (llvm::DISubprogram* subprogram = before.getFunction()->getSubprogram())
      at.SetCurrentDebugLocation(llvm::DILocation::get(module.getContext(), 0, 0, subprogram));
  const llvm::DebugLoc place = at.getCurrentDebugLocation();
  llvm::LoadInst* wanted = at.CreateLoad(at.getInt8Ty(), module.getOrInsertGlobal(kWanted, at.getInt8Ty()));
  wanted->setMetadata(llvm::LLVMContext::MD_nosanitize, llvm::MDNode::get(module.getContext(), {}));
  llvm::Instruction* then = llvm::SplitBlockAndInsertIfThen(
      at.CreateICmpNE(wanted, at.getInt8(0)), before.getIterator(), /*Unreachable=*/false,
      llvm::MDBuilder(module.getContext()).createUnlikelyBranchWeights());
  at.SetInsertPoint(then);
  at.SetCurrentDebugLocation(place);
  llvm::Value* to = at.CreateIntrinsic(llvm::Intrinsic::returnaddress, {}, {at.getInt32(0)});
  const llvm::FunctionCallee callee =
      module.getOrInsertFunction(name, llvm::FunctionType::get(at.getVoidTy(), {at.getPtrTy()}, /*isVarArg=*/false));
  at.CreateCall(callee, {to})->setDoesNotThrow();
}

}  // namespace

void tell_calls_from_outside(llvm::Function& function) {
  if (!is_instrumented(function) || !function.hasAddressTaken() || function.getName() == "main") return;
  llvm::SmallVector<llvm::Instruction*, 8> returns;
  for (llvm::BasicBlock& block : function) {
    if (!llvm::isa<llvm::ReturnInst>(block.getTerminator())) continue;
    llvm::CallInst* tail = block.getTerminatingMustTailCall();
    returns.push_back(tail ? static_cast<llvm::Instruction*>(tail) : block.getTerminator());
  }
  for (llvm::Instruction* i : returns) tell(*i, kReturns);
  llvm::BasicBlock& entry = function.getEntryBlock();
  tell(*entry.getFirstNonPHIOrDbgOrAlloca(), kBegins);
  function.removeFnAttr(llvm::Attribute::Memory);
  function.removeFnAttr(llvm::Attribute::NoSync);
}

}  // namespace heddle::pass
