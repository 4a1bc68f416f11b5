#include "native/pass/pauses.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "native/pass/counters.h"

namespace heddle::pass {
namespace {

using llvm::dyn_cast;
using llvm::isa;

constexpr unsigned kDeepestCalls = 4;

bool is_pause(llvm::StringRef name) {
  return llvm::is_contained(
      {"sched_yield", "pthread_yield", "thrd_yield", "usleep", "sleep", "nanosleep", "clock_nanosleep", "thrd_sleep",
       "heddle_turn", "heddle_turn_value", "heddle_turn_shared", "heddle_turn_memory", "heddle_enter_loop"},
      name);
}

// Is it computed from its operands alone, whatever they are?
bool only_computes(const llvm::Instruction& i) {
  if (i.isIntDivRem()) {
    const auto* divisor = dyn_cast<llvm::ConstantInt>(i.getOperand(1));
    return divisor != nullptr && !divisor->isZero() && !divisor->isMinusOne();
  }
  return isa<llvm::BinaryOperator>(i) || isa<llvm::CastInst>(i) || isa<llvm::CmpInst>(i) || isa<llvm::SelectInst>(i) ||
         isa<llvm::FreezeInst>(i) || isa<llvm::PHINode>(i) || isa<llvm::UnaryOperator>(i);
}

// The local variable that a pointer is to, or to a field of; null: not known, or others may know it.
const llvm::AllocaInst* own_variable(const llvm::Value* pointer) {
  while (const auto* field = dyn_cast<llvm::GetElementPtrInst>(pointer)) {
    if (!field->hasAllConstantIndices()) return nullptr;
    pointer = field->getPointerOperand();
  }
  const auto* variable = dyn_cast<llvm::AllocaInst>(pointer);
  return variable != nullptr && is_kept_local(*variable) ? variable : nullptr;
}

bool is_pausing_call(const llvm::CallBase& call, unsigned depth);

// Does it nothing but compute, pause, and use local variables of its function?
bool is_without_effect(const llvm::Instruction& i, unsigned depth) {
  if (only_computes(i) || isa<llvm::BranchInst>(i) || isa<llvm::SwitchInst>(i) || isa<llvm::GetElementPtrInst>(i) ||
      isa<llvm::AllocaInst>(i))
    return true;
  if (const auto* load = dyn_cast<llvm::LoadInst>(&i)) return own_variable(load->getPointerOperand()) != nullptr;
  if (const auto* store = dyn_cast<llvm::StoreInst>(&i)) return own_variable(store->getPointerOperand()) != nullptr;
  const auto* call = dyn_cast<llvm::CallInst>(&i);
  return call != nullptr && is_pausing_call(*call, depth);
}

bool is_pausing_call(const llvm::CallBase& call, unsigned depth) {
  if (const auto* assembly = dyn_cast<llvm::InlineAsm>(call.getCalledOperand()))
    return llvm::is_contained({"", "nop", "pause", "rep; nop", "rep;nop", "rep nop"}, assembly->getAsmString());
  if (const auto* intrinsic = dyn_cast<llvm::IntrinsicInst>(&call))
    return intrinsic->isLifetimeStartOrEnd() || isa<llvm::DbgInfoIntrinsic>(intrinsic) ||
           intrinsic->getCalledFunction()->getName() == "llvm.x86.sse2.pause";
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr) return false;
  if (is_pause(callee->getName())) return true;
  if (callee->isDeclaration() || callee->isInterposable() || depth == 0) return false;
  const auto returns = [&](const llvm::Instruction& i) {
    const auto* invoke = dyn_cast<llvm::InvokeInst>(&i);
    return isa<llvm::ReturnInst>(i) || (invoke != nullptr && is_pausing_call(*invoke, depth - 1)) ||
           is_without_effect(i, depth - 1);
  };
  // Nothing that pauses throws an exception.
  return llvm::all_of(*callee,
                      [&](const llvm::BasicBlock& block) { return block.isEHPad() || llvm::all_of(block, returns); });
}

// Follows what is carried from turn to turn to all that it decides about inside the loop.
class Influence {
 public:
  Influence(const llvm::Loop& loop, const llvm::PostDominatorTree& ends) : loop_(loop), ends_(ends) {}

  bool used_after = false;  // when the loop has been left

  bool value_only_pauses(const llvm::Value& v) {
    if (!seen_.insert(&v).second) return true;
    return llvm::all_of(v.users(), [&](const llvm::User* user) { return use_only_pauses(v, *user); });
  }

  bool variable_only_pauses(const llvm::AllocaInst& variable) {
    if (!seen_.insert(&variable).second) return true;
    if (!is_kept_local(variable)) return false;
    return loads_only_pause(variable);
  }

 private:
  bool loads_only_pause(const llvm::Value& pointer) {
    return llvm::all_of(pointer.users(), [&](const llvm::User* user) {
      if (isa<llvm::GetElementPtrInst>(user)) return loads_only_pause(*user);
      return !isa<llvm::LoadInst>(user) || value_only_pauses(*user);
    });
  }

  bool use_only_pauses(const llvm::Value& v, const llvm::User& user) {
    const auto* i = dyn_cast<llvm::Instruction>(&user);
    if (i == nullptr) return false;
    if (!loop_.contains(i)) return used_after = true;
    if (only_computes(*i)) return value_only_pauses(*i);
    if (i->isTerminator()) return region_only_pauses(*i);
    if (const auto* store = dyn_cast<llvm::StoreInst>(i)) {
      const llvm::AllocaInst* variable = own_variable(store->getPointerOperand());
      return store->getValueOperand() == &v && variable != nullptr && variable_only_pauses(*variable);
    }
    const auto* call = dyn_cast<llvm::CallInst>(i);
    return call != nullptr && is_pausing_call(*call, kDeepestCalls) &&
           (call->getType()->isVoidTy() || value_only_pauses(*call));
  }

  // What is done or left out as the branch goes: up to where its ways meet again, inside the loop.
  bool region_only_pauses(const llvm::Instruction& branch) {
    if (!isa<llvm::BranchInst>(branch) && !isa<llvm::SwitchInst>(branch)) return false;
    const auto* node = ends_.getNode(branch.getParent());
    const llvm::BasicBlock* meet =
        node != nullptr && node->getIDom() != nullptr ? node->getIDom()->getBlock() : nullptr;
    if (meet == nullptr || !loop_.contains(meet)) return false;
    llvm::SmallPtrSet<const llvm::BasicBlock*, 8> region;
    llvm::SmallVector<const llvm::BasicBlock*, 8> todo(llvm::successors(branch.getParent()));
    while (!todo.empty()) {
      const llvm::BasicBlock* block = todo.pop_back_val();
      if (block == meet || !region.insert(block).second) continue;
      if (!loop_.contains(block) || block == loop_.getHeader() || !block_only_pauses(*block)) return false;
      todo.append(llvm::succ_begin(block), llvm::succ_end(block));
    }
    return llvm::all_of(meet->phis(), [&](const llvm::PHINode& phi) { return value_only_pauses(phi); });
  }

  bool block_only_pauses(const llvm::BasicBlock& block) {
    return llvm::all_of(block, [&](const llvm::Instruction& i) {
      if (!is_without_effect(i, kDeepestCalls)) return false;
      if (const auto* phi = dyn_cast<llvm::PHINode>(&i)) return value_only_pauses(*phi);
      if (const auto* store = dyn_cast<llvm::StoreInst>(&i))
        return variable_only_pauses(*own_variable(store->getPointerOperand()));
      return true;
    });
  }

  const llvm::Loop& loop_;
  const llvm::PostDominatorTree& ends_;
  llvm::SmallPtrSet<const llvm::Value*, 16> seen_;
};

}  // namespace

bool is_kept_local(const llvm::Value& variable) {
  return llvm::all_of(variable.users(), [&](const llvm::User* user) {
    if (const auto* load = dyn_cast<llvm::LoadInst>(user)) return !load->isAtomic() && !load->isVolatile();
    if (const auto* store = dyn_cast<llvm::StoreInst>(user))
      return store->getPointerOperand() == &variable && store->getValueOperand() != &variable && !store->isAtomic() &&
             !store->isVolatile();
    if (isa<llvm::GetElementPtrInst>(user)) return is_kept_local(*user);
    const auto* call = dyn_cast<llvm::CallBase>(user);
    if (call == nullptr) return false;
    if (call->isLifetimeStartOrEnd() || isa<llvm::DbgInfoIntrinsic>(call)) return true;
    const llvm::Function* callee = call->getCalledFunction();
    return callee != nullptr && is_pause(callee->getName());
  });
}

Carried use_of_carried(const llvm::Loop& loop, const llvm::Instruction& mark, const llvm::PostDominatorTree& ends) {
  Influence influence(loop, ends);
  for (const llvm::PHINode& phi : loop.getHeader()->phis())
    if (!influence.value_only_pauses(phi)) return Carried::kMatters;
  for (const llvm::Instruction& i : llvm::instructions(*mark.getFunction())) {
    const auto* variable = dyn_cast<llvm::AllocaInst>(&i);
    if (variable != nullptr && is_kept_local(*variable) && is_carried(*variable, loop, mark) &&
        !influence.variable_only_pauses(*variable))
      return Carried::kMatters;
  }
  return influence.used_after ? Carried::kUsedAfter : Carried::kOnlyForPauses;
}

}  // namespace heddle::pass
