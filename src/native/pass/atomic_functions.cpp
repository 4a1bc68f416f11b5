#include "native/pass/atomic_functions.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace heddle::pass {
namespace {

constexpr const char* kBegin = "__VERIFIER_atomic_begin";
constexpr const char* kEnd = "__VERIFIER_atomic_end";

// In C++ the name is part of a longer one.
bool is_atomic(llvm::StringRef name) {
  const bool mangled = name.starts_with("_Z");
  return name != kBegin && name != kEnd &&
         (mangled ? name.contains("__VERIFIER_atomic_") : name.starts_with("__VERIFIER_atomic_"));
}

}  // namespace

void make_atomic_if_named_so(llvm::Function& function) {
  if (function.isDeclaration() || !is_atomic(function.getName())) return;
  llvm::Module& module = *function.getParent();
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), false);
  const llvm::FunctionCallee begin = module.getOrInsertFunction(kBegin, type),
                             end = module.getOrInsertFunction(kEnd, type);
  const auto call = [&](llvm::Instruction* before, llvm::FunctionCallee callee) {
    llvm::IRBuilder<> at(before);
    if (llvm::DISubprogram* scope = function.getSubprogram())  // a call without a place could not be inlined
      at.SetCurrentDebugLocation(llvm::DILocation::get(module.getContext(), scope->getLine(), 0, scope));
    at.CreateCall(callee);
  };
  for (llvm::Instruction& i : llvm::instructions(function))
    if (llvm::isa<llvm::ReturnInst>(i) || llvm::isa<llvm::ResumeInst>(i)) call(&i, end);
  call(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca(), begin);
}

}  // namespace heddle::pass
