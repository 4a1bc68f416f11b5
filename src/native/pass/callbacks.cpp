#include "native/pass/callbacks.h"

#include <string>

#include <llvm/IR/Attributes.h>

namespace heddle::pass {

Callbacks::Callbacks(llvm::Module& module) : module_(module) {}

llvm::CallInst* Callbacks::call(llvm::IRBuilder<>& at, llvm::StringRef name, llvm::Type* result,
                                llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::SmallVector<llvm::Type*, 6> types;
  for (const llvm::Value* argument : arguments) types.push_back(argument->getType());
  auto* type = llvm::FunctionType::get(result, types, /*isVarArg=*/false);
  // Callbacks switch threads but never throw: a thread that is abandoned is not unwound.
  auto attributes = llvm::AttributeList().addFnAttribute(module_.getContext(), llvm::Attribute::NoUnwind);
  // Nor do they keep addresses: what is private before is private after.
  for (unsigned i = 0; i < arguments.size(); ++i)
    if (types[i]->isPointerTy())
      attributes = attributes.addParamAttribute(module_.getContext(), i, llvm::Attribute::NoCapture);
  llvm::FunctionCallee callee = module_.getOrInsertFunction(name, type, attributes);
  return at.CreateCall(callee, arguments);
}

void Callbacks::access(llvm::IRBuilder<>& at, AccessKind kind, llvm::Value* address, std::uint64_t bytes,
                       llvm::Align alignment) {
  if (bytes == 0) return;
  const char* verb = kind == AccessKind::kRead ? "read" : "write";
  if (bytes > 16 || (bytes & (bytes - 1)) != 0) {
    range(at, kind, address, at.getInt64(bytes));
    return;
  }
  const bool aligned = alignment.value() >= std::min<std::uint64_t>(bytes, 8);
  const std::string name = std::string(aligned ? "__tsan_" : "__tsan_unaligned_") + verb + std::to_string(bytes);
  call(at, name, at.getVoidTy(), {address});
}

void Callbacks::range(llvm::IRBuilder<>& at, AccessKind kind, llvm::Value* address, llvm::Value* bytes) {
  call(at, kind == AccessKind::kRead ? "__tsan_read_range" : "__tsan_write_range", at.getVoidTy(),
       {address, at.CreateZExtOrTrunc(bytes, at.getInt64Ty())});
}

void Callbacks::vptr_read(llvm::IRBuilder<>& at, llvm::Value* address) {
  call(at, "__tsan_vptr_read", at.getVoidTy(), {address});
}

void Callbacks::vptr_update(llvm::IRBuilder<>& at, llvm::Value* address, llvm::Value* table) {
  call(at, "__tsan_vptr_update", at.getVoidTy(), {address, table});
}

llvm::CallInst* Callbacks::atomic(llvm::IRBuilder<>& at, unsigned bits, llvm::StringRef name, llvm::Type* result,
                                  llvm::ArrayRef<llvm::Value*> arguments) {
  return call(at, "__tsan_atomic" + std::to_string(bits) + "_" + name.str(), result, arguments);
}

void Callbacks::fence(llvm::IRBuilder<>& at, bool thread, llvm::Value* order) {
  call(at, thread ? "__tsan_atomic_thread_fence" : "__tsan_atomic_signal_fence", at.getVoidTy(), {order});
}

void Callbacks::assembly(llvm::IRBuilder<>& at, llvm::StringRef name, llvm::ArrayRef<llvm::Value*> arguments) {
  call(at, "heddle_asm_" + name.str(), at.getVoidTy(), arguments);
}

void Callbacks::unmodelled(llvm::IRBuilder<>& at, llvm::StringRef what, llvm::StringRef instruction) {
  call(at, "heddle_unmodelled", at.getVoidTy(), {at.CreateGlobalString((what + ": " + instruction).str())});
}

void Callbacks::unmodelled_access(llvm::IRBuilder<>& at, llvm::StringRef what, llvm::StringRef instruction) {
  call(at, "heddle_unmodelled_access", at.getVoidTy(), {at.CreateGlobalString((what + ": " + instruction).str())});
}

llvm::Value* Callbacks::clock(llvm::IRBuilder<>& at) { return call(at, "heddle_clock", at.getInt64Ty(), {}); }
llvm::Value* Callbacks::random_number(llvm::IRBuilder<>& at) {
  return call(at, "heddle_random_number", at.getInt64Ty(), {});
}

void Callbacks::turn_value(llvm::IRBuilder<>& at, llvm::Value* value) {
  call(at, "heddle_turn_value", at.getVoidTy(), {value});
}
void Callbacks::turn_shared(llvm::IRBuilder<>& at) { call(at, "heddle_turn_shared", at.getVoidTy(), {}); }

void Callbacks::turn_memory(llvm::IRBuilder<>& at, llvm::Value* address, llvm::Value* bytes) {
  call(at, "heddle_turn_memory", at.getVoidTy(), {address, bytes});
}

void Callbacks::scope_ends(llvm::IRBuilder<>& at, llvm::Value* address, llvm::Value* bytes) {
  call(at, "heddle_scope_ends", at.getVoidTy(), {address, bytes});
}

void Callbacks::memory(llvm::IRBuilder<>& at, llvm::StringRef name, llvm::ArrayRef<llvm::Value*> arguments) {
  call(at, "__tsan_" + name.str(), at.getPtrTy(), arguments);
}

}  // namespace heddle::pass
