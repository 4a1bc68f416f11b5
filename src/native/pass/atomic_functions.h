// Functions called __VERIFIER_atomic_... are atomic sections (native/runtime/atomic_sections.h).
#pragma once

#include <llvm/IR/Function.h>

namespace heddle::pass {

// Before the optimiser: the function begins and ends a section, if it is called so.
void make_atomic_if_named_so(llvm::Function& function);

}  // namespace heddle::pass
