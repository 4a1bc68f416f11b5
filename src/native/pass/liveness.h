// What a function still needs from some instruction on: values and local variables.
#pragma once

#include <optional>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Instructions.h>

namespace heddle::pass {

// The blocks at whose end a value is still needed.
class LiveValue {
 public:
  explicit LiveValue(const llvm::Instruction& value);
  // Is it needed by `at` or later?
  bool needed_at(const llvm::Instruction& at) const;

 private:
  const llvm::Instruction& value_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> live_out_;
};

// The same for a local variable in memory. What happens to it, in order, decides: it is needed where it may be read
// before all of it is written. A variable that is out of scope is not needed, one that others may know is while it is
// in scope.
class LiveVariable {
 public:
  explicit LiveVariable(const llvm::AllocaInst& variable);
  bool needed_at(const llvm::Instruction& at) const;

 private:
  enum class Event : std::uint8_t { kRead, kWritten, kBegins, kEnds };
  void look_at_uses_of(const llvm::Value& pointer);
  void look_at_store(const llvm::StoreInst& store, const llvm::Value& pointer);
  void look_at_call(const llvm::CallBase& call, const llvm::Use& use);
  void look_at_transfer(const llvm::Instruction& call, const llvm::Use& use);
  std::optional<Event> first_event(const llvm::BasicBlock& block, const llvm::Instruction* after) const;
  bool in_scope_at(const llvm::Instruction& at) const;
  bool read_before_written_after(const llvm::Instruction& at) const;

  const llvm::AllocaInst& variable_;
  std::uint64_t size_;
  bool known_to_others_ = false, has_scope_ = false;
  llvm::SmallPtrSet<const llvm::Value*, 8> seen_;
  llvm::SmallVector<std::pair<const llvm::Instruction*, Event>, 16> events_;
};

}  // namespace heddle::pass
