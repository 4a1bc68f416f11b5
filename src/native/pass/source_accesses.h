// Keeps the accesses to shared memory what the source says they are, through all of the optimiser.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

namespace heddle::pass {

// Before the optimiser: no access that another thread may see is removed, merged, moved or made up from now on.
void hold_accesses(llvm::Function& function);

// Before the optimiser, and before code is generated: a function that only reads (`pure`) reads something that others
// may write, and the runtime is told. So a call of it is no less there if nobody uses what it returns, and two are not
// one.
void keep_pure_calls(llvm::Module& module);

// Lets go of those that turn out to be the thread's own. True: there were such.
bool release_private_accesses(llvm::Function& function);

// After the optimiser: copies are what they were, so that everybody knows them.
void release_transfers(llvm::Function& function);

// After instrumentation: the code generator may do with them as it likes; they are announced.
void release_all_accesses(llvm::Function& function);

// As often as the optimiser has learnt something: releases, and makes registers of what was released.
struct ReleasePrivateAccesses : llvm::PassInfoMixin<ReleasePrivateAccesses> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace heddle::pass
