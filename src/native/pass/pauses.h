// Loops that count for ever: `for (int k = 0; !flag; ++k) if (k < 10) pause(); else sched_yield();`.
//
// Each turn differs from the one before in its counter, and the runtime cannot know whether the loop gives up one day
// (runtime/spinning.h). But if what the loop carries from turn to turn decides about nothing but how the thread pauses,
// it never does: whatever the counter, a turn that finds the same goes on in the same way.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Instructions.h>

namespace heddle::pass {

// Does nobody know the local variable but its function, and calls that pause? (Those read it, and may write how much
// time is left.)
bool is_kept_local(const llvm::Value& variable);

// Is that so, for all that is carried but variables that others know? `mark`: where a turn begins.
enum class Carried : std::uint8_t {
  kMatters,    // or it cannot be known
  kUsedAfter,  // for pauses, and when the loop has been left
  kOnlyForPauses,
};
Carried use_of_carried(const llvm::Loop& loop, const llvm::Instruction& mark, const llvm::PostDominatorTree& ends);

}  // namespace heddle::pass
