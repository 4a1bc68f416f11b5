// Instruments one function.
#pragma once

#include "native/pass/callbacks.h"

#include <llvm/IR/Function.h>

namespace heddle::pass {

enum class Announced : std::uint8_t {
  kAll,
  kOnlyByUs,  // what ThreadSanitizer, which comes later, does not see
};

// Whether anything was changed.
bool instrument(Callbacks& callbacks, llvm::Function& function, Announced announced);

// What instrumentation leaves alone: naked functions, those that ask for it, and bodies that are not emitted.
bool is_instrumented(const llvm::Function& function);

}  // namespace heddle::pass
