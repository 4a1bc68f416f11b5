// Tracking of inputs in one function, in the manner of compiled concolic execution (Poeplau and Francillon 2020).
//
// Beside each integer or pointer that may depend on inputs travels the number of its term, an i32, 0 where it does not.
// Instructions without side effects are gathered into a *group* until somebody needs the term of one of them (a store,
// a call, a branch, the end of the block). A group costs one test while everything is concrete:
//
//   %any = or i32 %a.t, %b.t              ; terms that come from outside the group
//   br (%any != 0), cold, go on
//   cold:  %c.t = heddle_sym_apply(...)   ; each instruction of the group, in order, and what they are needed for
//   go on: %c.t = phi [0], [%c.t, cold]
//
// A load looks at one byte of a table (symbolic_abi.h) to see whether there may be terms in memory. Terms of memory are
// read and written directly after the access itself: no other thread runs in between.
//
// An operation whose course depends on inputs (a branch, a select, an address, a divisor) makes a step in the runtime
// first. When that returns, the inputs at hand lead where the schedule goes, so the code goes on with its plain values.
#pragma once

#include <functional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "native/protocol/symbolic_abi.h"

namespace heddle::pass {

class Tracker {
 public:
  explicit Tracker(llvm::Function& function);
  void run();

 private:
  using Builder = llvm::IRBuilder<>;
  // A value, or an element of one that is a struct.
  using Key = std::pair<const llvm::Value*, unsigned>;

  // --- which values (tracker.cpp) ---
  bool trackable(llvm::Type* type) const;
  // Elements of a struct of such values, 1 for a plain one, 0 for others.
  unsigned elements(llvm::Type* type) const;
  bool is_source(const llvm::Instruction& i) const;
  void find_tracked();
  bool tracked(const llvm::Value* v) const { return tracked_.contains(v); }
  llvm::Value* term(const llvm::Value* v, unsigned element = 0);
  void set_term(const llvm::Value* v, llvm::Value* t, unsigned element = 0) { terms_[{v, element}] = t; }

  // --- groups (tracker.cpp) ---
  using Emit = std::function<llvm::Value*(Builder&)>;  // a term, or null for a mere effect
  void add(const llvm::Value* result, unsigned element, llvm::ArrayRef<const llvm::Value*> operands, Emit emit);
  void flush(llvm::Instruction* before);
  llvm::Instruction* cold_block(llvm::Value* condition, llvm::Instruction* before);

  // --- instructions ---
  void enter();
  void visit(llvm::Instruction& i);
  void visit_operator(llvm::Instruction& i);
  void visit_binary(llvm::BinaryOperator& i);
  void visit_address_arithmetic(llvm::GetElementPtrInst& i);
  void visit_aggregate(llvm::Instruction& i);
  void visit_select(llvm::SelectInst& i);
  void visit_switch(llvm::SwitchInst& i);
  void visit_return(llvm::ReturnInst& i);
  void finish_phis();
  void concretise(llvm::Value* v, llvm::Instruction& at);

  // --- memory (tracked_memory.cpp) ---
  void visit_load(llvm::LoadInst& i);
  void visit_store(llvm::StoreInst& i);
  void visit_update(llvm::AtomicRMWInst& i);
  void visit_compare_exchange(llvm::AtomicCmpXchgInst& i);
  void visit_memory_intrinsic(llvm::MemIntrinsic& i);
  struct Object {  // what an address was made from
    llvm::Value* base;
    std::uint64_t extent;  // 0: not known here
  };
  Object object_of(const llvm::Value* address) const;
  llvm::Value* base_of(Builder& b, const Object& object);
  void check_range(llvm::Value* address, llvm::Value* length, llvm::Instruction& at);
  void resolve_address(llvm::Value* address, std::uint64_t bytes, llvm::Instruction& at);
  void resolve_read(llvm::LoadInst& i);
  llvm::Value* may_hold_terms(Builder& b, llvm::Value* address);

  // --- calls (tracked_calls.cpp) ---
  void visit_call(llvm::CallBase& i);
  bool visit_intrinsic(llvm::IntrinsicInst& i);
  void redirect(llvm::CallBase& i);
  llvm::Value* callee_name(Builder& b, llvm::Value* callee);
  void pass_arguments(llvm::CallBase& i);
  void hand_structures(llvm::CallBase& i);
  void take_structures();
  void if_memory_has_terms(llvm::Instruction* before, llvm::function_ref<void(Builder&)> emit);
  void show_memory(llvm::CallBase& i);
  void show_destination(llvm::CallBase& i);
  void show_bounds(llvm::CallBase& i);
  void check_text(llvm::CallBase& i);
  void take_result(llvm::CallBase& i, bool callee_tracked);

  // --- emission ---
  llvm::Value* call(Builder& b, llvm::StringRef name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments);
  llvm::Value* apply(Builder& b, std::uint32_t op, unsigned width, llvm::Value* a, llvm::Value* b_or_null);
  llvm::Value* number(Builder& b, llvm::Value* v);  // as i64
  llvm::Constant* i32(std::uint32_t n) { return llvm::ConstantInt::get(i32_, n); }
  llvm::Value* slot(Builder& b, unsigned field, unsigned index);
  llvm::LoadInst* quiet_load(Builder& b, llvm::Type* type, llvm::Value* from);
  void quiet_store(Builder& b, llvm::Value* value, llvm::Value* to);
  unsigned width(llvm::Type* type) const;
  std::uint64_t bytes(llvm::Type* type) const;

  llvm::Function& function_;
  llvm::Module& module_;
  const llvm::DataLayout& layout_;
  llvm::IntegerType* i32_;
  llvm::IntegerType* i64_;
  llvm::GlobalVariable* call_record_;
  llvm::StructType* call_type_;
  llvm::GlobalVariable* filter_;
  llvm::DenseSet<const llvm::Value*> tracked_;
  llvm::DenseMap<Key, llvm::Value*> terms_;

  struct Entry {
    const llvm::Value* result;  // null: an effect
    unsigned element;
    llvm::DebugLoc where;
    Emit emit;
  };
  llvm::SmallVector<Entry, 8> group_;
  llvm::SmallVector<llvm::Value*, 8> outside_;  // terms the group depends on
  llvm::DenseSet<Key> inside_;                  // results of the group
  llvm::DebugLoc where_;
};

}  // namespace heddle::pass
