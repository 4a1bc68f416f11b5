// Instruments one function.
#pragma once

#include "native/pass/callbacks.h"

#include <llvm/IR/Function.h>

namespace heddle::pass {

// Whether anything was changed.
bool instrument(Callbacks& callbacks, llvm::Function& function);

// What instrumentation leaves alone: naked functions, those that ask for it, and bodies that are not emitted.
bool is_instrumented(const llvm::Function& function);

}  // namespace heddle::pass
