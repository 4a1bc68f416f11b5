#include "native/pass/barriers.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace heddle::pass {
namespace {

// `int r = pthread_barrier_wait(&b);` and nothing more, as it is before anything has been optimised.
bool is_only_kept(const llvm::StoreInst& store) {
  const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(store.getPointerOperand());
  return variable != nullptr && !store.isVolatile() && llvm::all_of(variable->users(), [&](const llvm::User* user) {
           const auto* other = llvm::dyn_cast<llvm::StoreInst>(user);
           const auto* call = llvm::dyn_cast<llvm::CallInst>(user);
           return (other != nullptr && other->getPointerOperand() == variable) ||
                  (call != nullptr && call->isLifetimeStartOrEnd());
         });
}

bool is_heard(const llvm::CallBase& call) {
  return llvm::any_of(call.users(), [&](const llvm::User* user) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    return store == nullptr || store->getValueOperand() != &call || !is_only_kept(*store);
  });
}

}  // namespace

void mark_unheard_barriers(llvm::Function& function) {
  for (llvm::Instruction& i : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
    if (call == nullptr || call->getCalledFunction() == nullptr ||
        call->getCalledFunction()->getName() != "pthread_barrier_wait" || is_heard(*call))
      continue;
    call->setCalledFunction(function.getParent()->getOrInsertFunction("heddle_barrier_wait", call->getFunctionType()));
  }
}

}  // namespace heddle::pass
