// `assert(a == b)` is a branch on a comparison to a block that calls a function which reports the failure. On the edge
// between the two we say what was compared (protocol/comparison_abi.h): no text of the assertion tells, and a debugger
// is not there. That is done before anything is optimised, when the two sides are what the source compares.
//
// Several comparisons joined by `&&` are several edges to the same block, each with its own sides. Sides that are no
// numbers (a comparison by a function, say) are not told.
#include "native/pass/comparisons.h"

#include <optional>

#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "native/protocol/comparison_abi.h"

namespace heddle::pass {
namespace {

using llvm::dyn_cast;
using llvm::isa;
using protocol::Compared;
using protocol::Relation;
using protocol::SideKind;

constexpr const char* kTold = "heddle_compared";

bool reports_failure(const llvm::Instruction& i) {
  const auto* call = dyn_cast<llvm::CallBase>(&i);
  if (call == nullptr || call->getCalledFunction() == nullptr) return false;
  const llvm::StringRef name = call->getCalledFunction()->getName();
  return name == "__assert_fail" || name == "heddle_fail";
}

// The relation that should have held where this one did.
std::optional<Relation> wanted(llvm::CmpInst::Predicate predicate, bool held) {
  using P = llvm::CmpInst;
  if (held) predicate = P::getInversePredicate(predicate);
  switch (predicate) {
    case P::ICMP_EQ:
    case P::FCMP_OEQ:
    case P::FCMP_UEQ:
      return Relation::kEqual;
    case P::ICMP_NE:
    case P::FCMP_ONE:
    case P::FCMP_UNE:
      return Relation::kNotEqual;
    case P::ICMP_SLT:
    case P::ICMP_ULT:
    case P::FCMP_OLT:
    case P::FCMP_ULT:
      return Relation::kLess;
    case P::ICMP_SLE:
    case P::ICMP_ULE:
    case P::FCMP_OLE:
    case P::FCMP_ULE:
      return Relation::kLessOrEqual;
    case P::ICMP_SGT:
    case P::ICMP_UGT:
    case P::FCMP_OGT:
    case P::FCMP_UGT:
      return Relation::kGreater;
    case P::ICMP_SGE:
    case P::ICMP_UGE:
    case P::FCMP_OGE:
    case P::FCMP_UGE:
      return Relation::kGreaterOrEqual;
    default:
      return std::nullopt;
  }
}

// Of equality the comparison itself does not say whether there is a sign.
SideKind kind_of(const llvm::CmpInst& comparison) {
  if (comparison.getOperand(0)->getType()->isPointerTy()) return SideKind::kPointer;
  if (isa<llvm::FCmpInst>(comparison)) return SideKind::kFloat;
  const bool widened = isa<llvm::ZExtInst>(comparison.getOperand(0)) || isa<llvm::ZExtInst>(comparison.getOperand(1));
  return comparison.isUnsigned() || (comparison.isEquality() && widened) ? SideKind::kUnsigned : SideKind::kSigned;
}

std::optional<Compared> sides_of(const llvm::CmpInst& comparison, bool held) {
  const llvm::Type* type = comparison.getOperand(0)->getType();
  const bool number = type->isPointerTy() || type->isFloatTy() || type->isDoubleTy() ||
                      (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
  const auto relation = wanted(comparison.getPredicate(), held);
  if (!number || !relation) return std::nullopt;
  Compared sides;
  sides.bits = type->isPointerTy() ? 64 : type->getPrimitiveSizeInBits().getFixedValue();
  sides.relation = *relation;
  sides.kind = kind_of(comparison);
  sides.left_constant = isa<llvm::Constant>(comparison.getOperand(0));
  sides.right_constant = isa<llvm::Constant>(comparison.getOperand(1));
  return sides;
}

llvm::Value* as_number(llvm::IRBuilder<>& at, llvm::Value* side) {
  llvm::Type* type = side->getType();
  if (type->isPointerTy()) return at.CreatePtrToInt(side, at.getInt64Ty());
  if (type->isFloatTy()) side = at.CreateBitCast(side, at.getInt32Ty());
  if (type->isDoubleTy()) side = at.CreateBitCast(side, at.getInt64Ty());
  return at.CreateZExt(side, at.getInt64Ty());
}

void tell(llvm::BranchInst& branch, llvm::BasicBlock& failing) {
  auto* comparison = dyn_cast<llvm::CmpInst>(branch.getCondition());
  if (comparison == nullptr || branch.getSuccessor(0) == branch.getSuccessor(1)) return;
  const auto sides = sides_of(*comparison, branch.getSuccessor(0) == &failing);
  if (!sides) return;
  llvm::BasicBlock* edge = llvm::SplitEdge(branch.getParent(), &failing);
  if (edge == nullptr) return;
  llvm::IRBuilder<> at(edge->getTerminator());
  at.SetCurrentDebugLocation(branch.getDebugLoc());
  llvm::Module& module = *failing.getModule();
  auto attributes = llvm::AttributeList().addFnAttribute(module.getContext(), llvm::Attribute::NoUnwind);
  auto* type = llvm::FunctionType::get(at.getVoidTy(), {at.getInt64Ty(), at.getInt64Ty(), at.getInt32Ty()}, false);
  at.CreateCall(module.getOrInsertFunction(kTold, type, attributes),
                {as_number(at, comparison->getOperand(0)), as_number(at, comparison->getOperand(1)),
                 at.getInt32(protocol::description_of(*sides))});
}

}  // namespace

void tell_failed_comparisons(llvm::Function& function) {
  llvm::SmallVector<llvm::BasicBlock*, 4> failing;
  for (llvm::BasicBlock& block : function)
    if (llvm::any_of(block, reports_failure)) failing.push_back(&block);
  for (llvm::BasicBlock* block : failing) {
    const llvm::SmallVector<llvm::BasicBlock*, 4> before(llvm::predecessors(block));
    for (llvm::BasicBlock* one : before)
      if (auto* branch = dyn_cast<llvm::BranchInst>(one->getTerminator()); branch != nullptr && branch->isConditional())
        tell(*branch, *block);
  }
}

bool only_tells_comparison(const llvm::Instruction& i) {
  if (const auto* call = dyn_cast<llvm::CallBase>(&i))
    return call->getCalledFunction() != nullptr && call->getCalledFunction()->getName() == kTold;
  return isa<llvm::CastInst>(i) && !i.use_empty() && llvm::all_of(i.users(), [](const llvm::User* user) {
           const auto* next = dyn_cast<llvm::Instruction>(user);
           return next != nullptr && only_tells_comparison(*next);
         });
}

}  // namespace heddle::pass
