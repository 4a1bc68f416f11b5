// Which memory accesses can another thread see? Everything else stays uninstrumented.
#pragma once

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instruction.h>

namespace heddle::pass {

// False for memory that provably belongs to the running thread alone (an alloca whose address does not leave the
// function) or that nobody writes (constants, vtables), and for what the compiler added for itself.
bool may_be_shared(const llvm::Value& address);

// Does the address leave the function, other than through accesses that are only held (source_accesses.h)?
bool escapes(const llvm::Value& pointer);

// The mark of a parameter whose callee passes it on to nobody.
inline constexpr const char* kKeptPrivate = "heddle-kept-private";

// Is the access volatile because it is held, or because the source says so? The latter are marked, not the former:
// whoever rewrites an access of a local variable (SROA) keeps that it is volatile and forgets the mark.
inline constexpr const char* kVolatileInSource = "heddle.volatile";
bool is_held(const llvm::Instruction& access);

// The access is of an object's vtable pointer, not of the table.
bool is_vptr_access(const llvm::Instruction& access);

}  // namespace heddle::pass
