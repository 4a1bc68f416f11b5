// Atomic instructions become calls that perform the operation and return its value.
#pragma once

#include "native/pass/callbacks.h"

#include <llvm/IR/Instructions.h>

namespace heddle::pass {

// Each replaces the instruction and erases it.
void replace_atomic_load(Callbacks& callbacks, llvm::LoadInst& load);
void replace_atomic_store(Callbacks& callbacks, llvm::StoreInst& store);
void replace_compare_exchange(Callbacks& callbacks, llvm::AtomicCmpXchgInst& exchange);
void replace_read_modify_write(Callbacks& callbacks, llvm::AtomicRMWInst& update);
void replace_fence(Callbacks& callbacks, llvm::FenceInst& fence);

// Atomics the target has no instruction for (16 bytes without -mcx16) are calls into libatomic by now. True: the
// call was one of them and has been replaced.
bool replace_library_atomic(Callbacks& callbacks, llvm::CallInst& call);

// An atomic access whose size the ABI has an entry for.
bool has_atomic_entry(const llvm::DataLayout& layout, llvm::Type* type);

}  // namespace heddle::pass
