// Functions whose address is taken may be called by code that is not instrumented: pools of threads, event loops,
// OpenMP's outlined regions. Where the program has such libraries, they tell when they begin and when they are about to
// return (runtime/unseen_libraries.cpp); elsewhere that is a test of a byte.
#pragma once

namespace llvm {
class Function;
}

namespace heddle::pass {

// Behind everything else: what is added is not announced.
void tell_calls_from_outside(llvm::Function& function);

}  // namespace heddle::pass
