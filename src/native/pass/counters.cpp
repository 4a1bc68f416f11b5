#include "native/pass/counters.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "native/pass/comparisons.h"
#include "native/pass/liveness.h"

namespace heddle::pass {
namespace {

using llvm::dyn_cast;
using llvm::isa;

// Follows values and, in code that is not optimised, variables to what is done with them.
class Counters {
 public:
  explicit Counters(const llvm::Loop& loop) : loop_(loop) { loop.getExitBlocks(exits_); }

  bool value_only_counts(const llvm::Value& v) {
    if (!seen_.insert(&v).second) return true;
    return llvm::all_of(v.users(), [&](const llvm::User* user) { return use_only_counts(v, *user); });
  }

  bool variable_only_counts(const llvm::AllocaInst& variable) {
    if (!seen_.insert(&variable).second) return true;
    const LiveVariable live(variable);
    for (const llvm::BasicBlock* exit : exits_)
      if (live.needed_at(*exit->getFirstNonPHIOrDbgOrLifetime())) return false;
    return llvm::all_of(variable.users(), [&](const llvm::User* user) {
      const auto* i = dyn_cast<llvm::Instruction>(user);
      if (i == nullptr) return false;
      if (i->isLifetimeStartOrEnd()) return true;
      if (const auto* store = dyn_cast<llvm::StoreInst>(i)) return store->getValueOperand() != &variable;
      return isa<llvm::LoadInst>(i) && (!loop_.contains(i) || value_only_counts(*i));
    });
  }

 private:
  bool use_only_counts(const llvm::Value& v, const llvm::User& user) {
    const auto* i = dyn_cast<llvm::Instruction>(&user);
    if (i == nullptr) return false;
    if (only_tells_comparison(*i)) return true;
    if (!loop_.contains(i)) return false;
    if (const auto* branch = dyn_cast<llvm::BranchInst>(i))
      return llvm::any_of(branch->successors(), [&](const llvm::BasicBlock* to) { return !loop_.contains(to); });
    if (const auto* store = dyn_cast<llvm::StoreInst>(i)) {
      const auto* variable = dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
      return store->getValueOperand() == &v && variable != nullptr && variable_only_counts(*variable);
    }
    if (const auto* compare = dyn_cast<llvm::ICmpInst>(i)) {
      const llvm::Value* other = compare->getOperand(compare->getOperand(0) == &v ? 1 : 0);
      return loop_.isLoopInvariant(other) && value_only_counts(*i);
    }
    if (const auto* phi = dyn_cast<llvm::PHINode>(i))
      return phi->getParent() == loop_.getHeader() && value_only_counts(*i);
    const bool adds = i->getOpcode() == llvm::Instruction::Add || i->getOpcode() == llvm::Instruction::Sub;
    return (isa<llvm::CastInst>(i) ||
            (adds && (isa<llvm::Constant>(i->getOperand(0)) || isa<llvm::Constant>(i->getOperand(1))))) &&
           value_only_counts(*i);
  }

  const llvm::Loop& loop_;
  llvm::SmallVector<llvm::BasicBlock*, 4> exits_;
  llvm::SmallPtrSet<const llvm::Value*, 16> seen_;
};

}  // namespace

bool is_carried(const llvm::AllocaInst& variable, const llvm::Loop& loop, const llvm::Instruction& mark) {
  const bool written = llvm::any_of(variable.users(), [&](const llvm::User* user) {
    const auto* store = dyn_cast<llvm::StoreInst>(user);
    return store != nullptr && store->getPointerOperand() == &variable && loop.contains(store);
  });
  return written && LiveVariable(variable).needed_at(mark);
}

bool counts_for_itself(const llvm::Loop& loop, const llvm::Instruction& mark) {
  Counters counters(loop);
  for (const llvm::PHINode& phi : loop.getHeader()->phis())
    if (!counters.value_only_counts(phi)) return false;
  for (const llvm::Instruction& i : llvm::instructions(*mark.getFunction())) {
    const auto* variable = dyn_cast<llvm::AllocaInst>(&i);
    if (variable != nullptr && is_carried(*variable, loop, mark) && !counters.variable_only_counts(*variable))
      return false;
  }
  return true;
}

}  // namespace heddle::pass
