// Marks the heads of loops, and tells the runtime there what a thread carries from turn to turn.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

#include "native/pass/callbacks.h"

namespace heddle::pass {

// Before the optimiser, when accesses are held (source_accesses.h).
void mark_loops(llvm::Function& function);

// After it: what is alive at each mark is handed over.
void hand_over_turns(Callbacks& callbacks, llvm::Function& function);

// As often as the optimiser has learnt something: takes marks away from loops in which nothing can be waited for.
struct ReleaseLoops : llvm::PassInfoMixin<ReleaseLoops> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace heddle::pass
