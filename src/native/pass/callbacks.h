// The instrumentation ABI: ThreadSanitizer's entry points, which Heddle's runtime defines.
#pragma once

#include <cstdint>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Alignment.h>

namespace heddle::pass {

enum class AccessKind : std::uint8_t { kRead, kWrite };

class Callbacks {
 public:
  explicit Callbacks(llvm::Module& module);

  // __tsan_read4(p), __tsan_unaligned_write8(p), __tsan_read_range(p, 24): whichever fits.
  void access(llvm::IRBuilder<>& at, AccessKind kind, llvm::Value* address, std::uint64_t bytes, llvm::Align alignment);
  void range(llvm::IRBuilder<>& at, AccessKind kind, llvm::Value* address, llvm::Value* bytes);
  void vptr_read(llvm::IRBuilder<>& at, llvm::Value* address);
  void vptr_update(llvm::IRBuilder<>& at, llvm::Value* address, llvm::Value* table);

  // __tsan_atomic<bits>_<name>(arguments...)
  llvm::CallInst* atomic(llvm::IRBuilder<>& at, unsigned bits, llvm::StringRef name, llvm::Type* result,
                         llvm::ArrayRef<llvm::Value*> arguments);
  void fence(llvm::IRBuilder<>& at, bool thread, llvm::Value* order);
  // heddle_asm_before, _after, _access
  void assembly(llvm::IRBuilder<>& at, llvm::StringRef name, llvm::ArrayRef<llvm::Value*> arguments);
  // Something that cannot be modelled is about to be executed.
  void unmodelled(llvm::IRBuilder<>& at, llvm::StringRef what, llvm::StringRef instruction);
  // The same, but only if others are there.
  void unmodelled_access(llvm::IRBuilder<>& at, llvm::StringRef what, llvm::StringRef instruction);
  llvm::Value* clock(llvm::IRBuilder<>& at);
  llvm::Value* random_number(llvm::IRBuilder<>& at);
  // A value that is alive at a loop's head, and memory likewise (loops.cpp).
  void turn_value(llvm::IRBuilder<>& at, llvm::Value* value);
  void turn_shared(llvm::IRBuilder<>& at);  // what is handed over from here on others may know
  void turn_memory(llvm::IRBuilder<>& at, llvm::Value* address, llvm::Value* bytes);
  // A local variable that others may know is no more.
  void scope_ends(llvm::IRBuilder<>& at, llvm::Value* address, llvm::Value* bytes);
  // __tsan_memcpy, __tsan_memmove, __tsan_memset
  void memory(llvm::IRBuilder<>& at, llvm::StringRef name, llvm::ArrayRef<llvm::Value*> arguments);

 private:
  llvm::CallInst* call(llvm::IRBuilder<>& at, llvm::StringRef name, llvm::Type* result,
                       llvm::ArrayRef<llvm::Value*> arguments);

  llvm::Module& module_;
};

}  // namespace heddle::pass
