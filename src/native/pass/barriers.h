// Which waits at a barrier look at what they are told.
#pragma once

#include <llvm/IR/Function.h>

namespace heddle::pass {

// pthread_barrier_wait tells one of the threads that it is the serial one. A call whose result nobody looks at becomes
// one of heddle_barrier_wait: there it makes no difference who it is (runtime/barriers.h). At the start of the
// pipeline, so that it is the same at every level.
void mark_unheard_barriers(llvm::Function& function);

}  // namespace heddle::pass
