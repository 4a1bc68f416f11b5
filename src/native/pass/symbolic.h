// Compiles tracking of inputs into a module (docs/inputs.md, "Native programs").
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace heddle::pass {

// Does the module ask for inputs?
bool asks_for_inputs(const llvm::Module& module);

// Before the optimiser: keeps it from merging branches and from using vectors, which would both hide what depends on
// what.
void prepare_for_tracking(llvm::Function& function);

// After it, and before the accesses are instrumented.
void track_inputs(llvm::Module& module);

// Says in the executable that it has code without tracking.
void mark_untracked(llvm::Module& module);

}  // namespace heddle::pass
