// Loops that count their turns and tell nobody: `for (int i = 0; i < 1000; ++i) if (flag) return true;`.
//
// The runtime does not explore leaving such a loop at each of its turns (runtime/spinning.h). That is without loss if
// what the loop carries from turn to turn is used for nothing but to go on counting and to end the loop: then it leaves
// in the same way, whichever turn it is.
#pragma once

#include <llvm/Analysis/LoopInfo.h>

namespace heddle::pass {

// Is the variable carried from turn to turn, and written in the loop?
bool is_carried(const llvm::AllocaInst& variable, const llvm::Loop& loop, const llvm::Instruction& mark);

// Is that so? `mark`: where a turn begins. False if it cannot be known.
bool counts_for_itself(const llvm::Loop& loop, const llvm::Instruction& mark);

}  // namespace heddle::pass
