// Which memory accesses can another thread see? Everything else stays uninstrumented.
#pragma once

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instruction.h>

namespace heddle::pass {

// False for memory that provably belongs to the running thread alone (an alloca whose address does not leave the
// function) or that nobody writes (constants, vtables), and for what the compiler added for itself.
bool may_be_shared(const llvm::Value& address);

// The access is of an object's vtable pointer, not of the table.
bool is_vptr_access(const llvm::Instruction& access);

}  // namespace heddle::pass
