// The two questions are asked without flow sensitivity: an alloca whose address escapes anywhere in the function is
// shared everywhere in it. Being precise here would save a few callbacks before the escape and buy a class of
// mistakes (loops, setjmp) that would show up as missed races.
#include "native/pass/sharing.h"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>

namespace heddle::pass {
namespace {

bool is_compiler_data(const llvm::GlobalVariable& global) {
  const llvm::StringRef name = global.getName();
  return name.starts_with("__llvm_") || name.starts_with("__profc_") || name.starts_with("__profd_");
}

// The address was itself loaded as a vtable pointer: what it points at is a table, in read-only memory.
bool points_into_vtable(const llvm::Value& object) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&object);
  return load != nullptr && is_vptr_access(*load);
}

class Escape : public llvm::CaptureTracker {
 public:
  bool escapes = false;
  void tooManyUses() override { escapes = true; }
  bool captured(const llvm::Use* use) override {
    const auto& user = *llvm::cast<llvm::Instruction>(use->getUser());
    escapes = !is_kept_by_callee(user, *use) && (!is_held(user) || is_stored_value(user, *use));
    return escapes;
  }

 private:
  static bool is_kept_by_callee(const llvm::Instruction& user, const llvm::Use& use) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&user);
    if (call == nullptr || !call->isArgOperand(&use)) return false;
    const llvm::Function* callee = call->getCalledFunction();
    const unsigned number = call->getArgOperandNo(&use);
    if (call->isInlineAsm()) return call->getParamElementType(number) != nullptr;  // an operand in memory
    return callee != nullptr && number < callee->arg_size() &&
           callee->getAttributes().hasParamAttr(number, kKeptPrivate);
  }
  static bool is_stored_value(const llvm::Instruction& user, const llvm::Use& use) {
    if (llvm::isa<llvm::StoreInst>(user)) return use.getOperandNo() != llvm::StoreInst::getPointerOperandIndex();
    if (llvm::isa<llvm::AtomicRMWInst>(user))
      return use.getOperandNo() != llvm::AtomicRMWInst::getPointerOperandIndex();
    if (llvm::isa<llvm::AtomicCmpXchgInst>(user))
      return use.getOperandNo() != llvm::AtomicCmpXchgInst::getPointerOperandIndex();
    return false;
  }
};

}  // namespace

bool is_held(const llvm::Instruction& access) {
  return access.isVolatile() && access.getMetadata(kVolatileInSource) == nullptr;
}

bool escapes(const llvm::Value& pointer) {
  Escape escape;
  llvm::PointerMayBeCaptured(&pointer, &escape);
  return escape.escapes;
}

bool is_vptr_access(const llvm::Instruction& access) {
  const llvm::MDNode* tag = access.getMetadata(llvm::LLVMContext::MD_tbaa);
  return tag != nullptr && tag->isTBAAVtableAccess();
}

bool may_be_shared(const llvm::Value& address) {
  // Other address spaces are the segment registers: thread-local by construction.
  if (address.getType()->getPointerAddressSpace() != 0) return false;
  if (address.isSwiftError()) return false;
  const llvm::Value* object = llvm::getUnderlyingObject(&address);
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object))
    return !global->isConstant() && !is_compiler_data(*global);
  if (points_into_vtable(*object)) return false;
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(object); argument && argument->hasByValAttr())
    return escapes(*argument);
  if (const auto* local = llvm::findAllocaForValue(const_cast<llvm::Value*>(&address))) return escapes(*local);
  return true;
}

}  // namespace heddle::pass
