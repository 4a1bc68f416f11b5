// Both sides of a comparison that makes an assertion fail.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instruction.h>

namespace heddle::pass {

// Where `assert(a == b)` and its like fail, the runtime is told what a and b were.
void tell_failed_comparisons(llvm::Function& function);
// Is this instruction only there for that?
bool only_tells_comparison(const llvm::Instruction& i);

}  // namespace heddle::pass
