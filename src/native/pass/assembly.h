// Inline assembly: its accesses to memory become steps, and what cannot be looked at is said when it is executed.
#pragma once

#include "native/pass/callbacks.h"

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicInst.h>

namespace heddle::pass {

void instrument_assembly(Callbacks& callbacks, llvm::CallBase& call);

// rdtsc, rdrand and the like as builtins. True: the call was one of them and has been replaced.
bool replace_uncontrolled_intrinsic(Callbacks& callbacks, llvm::IntrinsicInst& call);

}  // namespace heddle::pass
