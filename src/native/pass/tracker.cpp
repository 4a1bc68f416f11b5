#include "native/pass/tracker.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

namespace heddle::pass {

using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;
using protocol::SymbolicOp;

namespace {

constexpr std::uint32_t code(SymbolicOp op) { return static_cast<std::uint32_t>(op); }

std::uint32_t binary_code(const llvm::BinaryOperator& i) {
  using Instruction = llvm::Instruction;
  switch (i.getOpcode()) {
    case Instruction::Add:
      return code(SymbolicOp::kAdd);
    case Instruction::Sub:
      return code(SymbolicOp::kSub);
    case Instruction::Mul:
      return code(SymbolicOp::kMul);
    case Instruction::UDiv:
      return code(SymbolicOp::kUdiv);
    case Instruction::SDiv:
      return code(SymbolicOp::kSdiv);
    case Instruction::URem:
      return code(SymbolicOp::kUrem);
    case Instruction::SRem:
      return code(SymbolicOp::kSrem);
    case Instruction::Shl:
      return code(SymbolicOp::kShl);
    case Instruction::LShr:
      return code(SymbolicOp::kLshr);
    case Instruction::AShr:
      return code(SymbolicOp::kAshr);
    case Instruction::And:
      return code(SymbolicOp::kAnd);
    case Instruction::Or:
      return code(SymbolicOp::kOr);
    default:
      return code(SymbolicOp::kXor);
  }
}

struct Comparison {
  SymbolicOp op;
  bool swapped;
};

Comparison comparison(llvm::CmpInst::Predicate predicate) {
  using P = llvm::CmpInst::Predicate;
  switch (predicate) {
    case P::ICMP_EQ:
      return {SymbolicOp::kEq, false};
    case P::ICMP_NE:
      return {SymbolicOp::kNe, false};
    case P::ICMP_ULT:
      return {SymbolicOp::kUlt, false};
    case P::ICMP_ULE:
      return {SymbolicOp::kUle, false};
    case P::ICMP_UGT:
      return {SymbolicOp::kUlt, true};
    case P::ICMP_UGE:
      return {SymbolicOp::kUle, true};
    case P::ICMP_SLT:
      return {SymbolicOp::kSlt, false};
    case P::ICMP_SLE:
      return {SymbolicOp::kSle, false};
    case P::ICMP_SGT:
      return {SymbolicOp::kSlt, true};
    default:
      return {SymbolicOp::kSle, true};
  }
}

// An instruction that has been split off would become a dynamic one; static ones stay together at the top.
void gather_allocas(llvm::BasicBlock& entry) {
  llvm::Instruction* place = &*entry.getFirstInsertionPt();
  llvm::SmallVector<llvm::AllocaInst*, 16> later;
  for (llvm::Instruction& i : entry)
    if (auto* local = dyn_cast<llvm::AllocaInst>(&i); local && isa<llvm::ConstantInt>(local->getArraySize()))
      later.push_back(local);
  for (llvm::AllocaInst* local : later) {
    if (local == place)
      place = place->getNextNode();
    else
      local->moveBefore(place);
  }
}

}  // namespace

Tracker::Tracker(llvm::Function& function)
    : function_(function),
      module_(*function.getParent()),
      layout_(module_.getDataLayout()),
      i32_(llvm::Type::getInt32Ty(module_.getContext())),
      i64_(llvm::Type::getInt64Ty(module_.getContext())) {
  llvm::LLVMContext& context = module_.getContext();
  auto* pointer = llvm::PointerType::getUnqual(context);
  call_type_ =
      llvm::StructType::get(context, {pointer, pointer, llvm::ArrayType::get(i32_, protocol::kSymbolicArguments),
                                      llvm::ArrayType::get(i32_, protocol::kSymbolicResults),
                                      llvm::ArrayType::get(i64_, protocol::kSymbolicArguments)});
  call_record_ = cast<llvm::GlobalVariable>(module_.getOrInsertGlobal("heddle_sym_call", call_type_));
  filter_ = cast<llvm::GlobalVariable>(module_.getOrInsertGlobal(
      "heddle_sym_filter", llvm::ArrayType::get(llvm::Type::getInt8Ty(context), 1u << protocol::kFilterBits)));
  call_record_->setDSOLocal(true);
  filter_->setDSOLocal(true);
}

// --- which values ---------------------------------------------------------------------------------------------------

bool Tracker::trackable(llvm::Type* type) const {
  if (const auto* integer = dyn_cast<llvm::IntegerType>(type)) return integer->getBitWidth() <= 64;
  return type->isPointerTy() && type->getPointerAddressSpace() == 0;
}

unsigned Tracker::elements(llvm::Type* type) const {
  if (trackable(type)) return 1;
  const auto* aggregate = dyn_cast<llvm::StructType>(type);
  if (!aggregate || aggregate->getNumElements() == 0 || aggregate->getNumElements() > protocol::kSymbolicResults)
    return 0;
  for (llvm::Type* element : aggregate->elements())
    if (!trackable(element)) return 0;
  return aggregate->getNumElements();
}

unsigned Tracker::width(llvm::Type* type) const {
  return type->isPointerTy() ? 64 : cast<llvm::IntegerType>(type)->getBitWidth();
}

std::uint64_t Tracker::bytes(llvm::Type* type) const {
  const llvm::TypeSize size = layout_.getTypeStoreSize(type);
  return size.isScalable() ? 0 : size.getFixedValue();
}

// Where terms come from; everything else has them from its operands.
bool Tracker::is_source(const llvm::Instruction& i) const {
  if (elements(i.getType()) == 0) return false;
  if (const auto* load = dyn_cast<llvm::LoadInst>(&i)) return load->getPointerAddressSpace() == 0;
  if (isa<llvm::AtomicRMWInst>(i)) return true;
  const auto* call = dyn_cast<llvm::CallBase>(&i);
  return call && !isa<llvm::IntrinsicInst>(call) && !call->isInlineAsm();
}

void Tracker::find_tracked() {
  llvm::SmallVector<const llvm::Value*, 64> work;
  const auto reach = [&](const llvm::Value* v) {
    if (elements(v->getType()) != 0 && tracked_.insert(v).second) work.push_back(v);
  };
  for (const llvm::Argument& a : function_.args())
    if (trackable(a.getType()) && a.getArgNo() < protocol::kSymbolicArguments && !a.hasByValAttr()) reach(&a);
  for (const llvm::Instruction& i : llvm::instructions(function_))
    if (is_source(i)) reach(&i);
  while (!work.empty()) {
    const llvm::Value* v = work.pop_back_val();
    for (const llvm::User* user : v->users()) {
      const auto* i = dyn_cast<llvm::Instruction>(user);
      if (!i || isa<llvm::LoadInst>(i) || isa<llvm::AtomicCmpXchgInst>(i)) continue;
      if (isa<llvm::CallBase>(i) && !isa<llvm::IntrinsicInst>(i)) continue;
      reach(i);
    }
  }
}

llvm::Value* Tracker::term(const llvm::Value* v, unsigned element) {
  const auto place = terms_.find({v, element});
  return place == terms_.end() ? i32(0) : place->second;
}

// --- groups ---------------------------------------------------------------------------------------------------------

void Tracker::add(const llvm::Value* result, unsigned element, llvm::ArrayRef<const llvm::Value*> operands, Emit emit) {
  bool depends = false;
  for (const llvm::Value* v : operands) {
    for (unsigned e = 0; e < elements(v->getType()); ++e) {
      if (inside_.contains({v, e})) {
        depends = true;
        continue;
      }
      llvm::Value* t = term(v, e);
      if (isa<llvm::Constant>(t)) continue;
      depends = true;
      if (llvm::find(outside_, t) == outside_.end()) outside_.push_back(t);
    }
  }
  if (!depends) return;
  group_.push_back({result, element, where_, std::move(emit)});
  if (result) inside_.insert({result, element});
}

// The rarely run block before an instruction; what is emitted goes in front of the instruction returned.
llvm::Instruction* Tracker::cold_block(llvm::Value* condition, llvm::Instruction* before) {
  llvm::MDNode* unlikely = llvm::MDBuilder(module_.getContext()).createUnlikelyBranchWeights();
  return llvm::SplitBlockAndInsertIfThen(condition, before->getIterator(), /*Unreachable=*/false, unlikely);
}

void Tracker::flush(llvm::Instruction* before) {
  if (group_.empty()) return;
  Builder hot(before);
  llvm::Value* any = nullptr;
  for (llvm::Value* t : outside_) any = any ? hot.CreateOr(any, t) : t;
  llvm::BasicBlock* head = before->getParent();
  llvm::Instruction* end = cold_block(hot.CreateICmpNE(any, i32(0)), before);
  Builder cold(end);
  for (Entry& entry : group_) {
    cold.SetCurrentDebugLocation(entry.where);
    llvm::Value* t = entry.emit(cold);
    if (entry.result) set_term(entry.result, t, entry.element);
  }
  Builder join(before->getParent(), before->getParent()->begin());
  for (const Entry& entry : group_) {
    if (!entry.result) continue;
    llvm::Value* t = term(entry.result, entry.element);
    if (isa<llvm::Constant>(t)) continue;
    llvm::PHINode* phi = join.CreatePHI(i32_, 2);
    phi->addIncoming(i32(0), head);
    phi->addIncoming(t, end->getParent());
    set_term(entry.result, phi, entry.element);
  }
  group_.clear();
  outside_.clear();
  inside_.clear();
}

// --- the function ---------------------------------------------------------------------------------------------------

void Tracker::run() {
  find_tracked();
  gather_allocas(function_.getEntryBlock());
  llvm::SmallVector<llvm::Instruction*, 128> order;
  llvm::SmallVector<llvm::BasicBlock*, 32> blocks;
  for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_)) blocks.push_back(block);
  for (llvm::BasicBlock* block : blocks)
    for (llvm::Instruction& i : *block)
      if (i.getMetadata(llvm::LLVMContext::MD_nosanitize) == nullptr && !isa<llvm::AllocaInst>(i)) order.push_back(&i);
  for (llvm::Instruction* i : order) {
    if (!isa<llvm::PHINode>(i) || !tracked(i)) continue;
    for (unsigned e = 0; e < elements(i->getType()); ++e)
      set_term(i, llvm::PHINode::Create(i32_, 2, "", i->getIterator()), e);
  }
  take_structures();
  enter();
  for (llvm::Instruction* i : order) visit(*i);
  finish_phis();
}

// Arguments: from the record if it is ours.
void Tracker::enter() {
  llvm::Instruction* first = &*function_.getEntryBlock().getFirstInsertionPt();
  while (isa<llvm::AllocaInst>(first)) first = first->getNextNode();
  llvm::SmallVector<const llvm::Argument*, 8> mine;
  for (const llvm::Argument& a : function_.args())
    if (tracked(&a) && !a.use_empty()) mine.push_back(&a);
  if (mine.empty()) return;
  Builder b(first);
  llvm::Value* callee = quiet_load(b, b.getPtrTy(), slot(b, 0, 0));
  llvm::BasicBlock* head = first->getParent();
  llvm::Instruction* end = cold_block(b.CreateICmpEQ(callee, &function_), first);
  Builder cold(end), join(first->getParent(), first->getParent()->begin());
  quiet_store(cold, llvm::ConstantPointerNull::get(cold.getPtrTy()), slot(cold, 0, 0));
  for (const llvm::Argument* a : mine) {
    llvm::Value* t = quiet_load(cold, i32_, slot(cold, 2, a->getArgNo()));
    llvm::PHINode* phi = join.CreatePHI(i32_, 2);
    phi->addIncoming(i32(0), head);
    phi->addIncoming(t, end->getParent());
    set_term(a, phi);
  }
}

void Tracker::finish_phis() {
  llvm::SmallVector<llvm::PHINode*, 32> made;
  for (llvm::Instruction& i : llvm::instructions(function_)) {
    auto* phi = dyn_cast<llvm::PHINode>(&i);
    if (!phi || !tracked(phi)) continue;
    for (unsigned e = 0; e < elements(phi->getType()); ++e) {
      auto* mine = dyn_cast<llvm::PHINode>(term(phi, e));
      if (!mine || mine->getNumIncomingValues() != 0) continue;
      for (unsigned k = 0; k < phi->getNumIncomingValues(); ++k)
        mine->addIncoming(term(phi->getIncomingValue(k), e), phi->getIncomingBlock(k));
    }
  }
  // Terms that nobody asked for.
  for (llvm::BasicBlock& block : function_) {
    for (llvm::PHINode& phi : block.phis())
      if (phi.getType() == i32_) made.push_back(&phi);
  }
  llvm::SmallVector<llvm::WeakTrackingVH, 32> candidates(made.begin(), made.end());
  for (llvm::WeakTrackingVH& candidate : candidates)
    if (auto* phi = llvm::dyn_cast_or_null<llvm::PHINode>(candidate)) llvm::RecursivelyDeleteDeadPHINode(phi);
}

// --- instructions ---------------------------------------------------------------------------------------------------

void Tracker::visit(llvm::Instruction& i) {
  where_ = i.getDebugLoc();
  if (auto* load = dyn_cast<llvm::LoadInst>(&i)) return visit_load(*load);
  if (auto* store = dyn_cast<llvm::StoreInst>(&i)) return visit_store(*store);
  if (auto* update = dyn_cast<llvm::AtomicRMWInst>(&i)) return visit_update(*update);
  if (auto* exchange = dyn_cast<llvm::AtomicCmpXchgInst>(&i)) return visit_compare_exchange(*exchange);
  if (auto* called = dyn_cast<llvm::CallBase>(&i)) return visit_call(*called);
  if (isa<llvm::PHINode>(i) || isa<llvm::LandingPadInst>(i)) return;
  if (auto* back = dyn_cast<llvm::ReturnInst>(&i)) return visit_return(*back);
  if (auto* table = dyn_cast<llvm::SwitchInst>(&i)) {
    visit_switch(*table);
    return flush(&i);
  }
  if (auto* branch = dyn_cast<llvm::BranchInst>(&i)) {
    if (branch->isConditional() && tracked(branch->getCondition())) {
      llvm::Value* condition = branch->getCondition();
      add(nullptr, 0, {condition}, [=, this](Builder& b) {
        return call(b, "heddle_sym_branch", b.getVoidTy(), {term(condition), number(b, condition)});
      });
    }
    return flush(&i);
  }
  if (i.isTerminator()) return flush(&i);
  visit_operator(i);
}

void Tracker::visit_operator(llvm::Instruction& i) {
  if (auto* binary = dyn_cast<llvm::BinaryOperator>(&i); binary && tracked(&i)) return visit_binary(*binary);
  if (auto* compare = dyn_cast<llvm::ICmpInst>(&i); compare && tracked(&i)) {
    const Comparison c = comparison(compare->getPredicate());
    llvm::Value* x = compare->getOperand(c.swapped ? 1 : 0);
    llvm::Value* y = compare->getOperand(c.swapped ? 0 : 1);
    if (!trackable(x->getType())) return;
    return add(&i, 0, {x, y}, [=, this](Builder& b) { return apply(b, code(c.op), width(x->getType()), x, y); });
  }
  if (auto* select = dyn_cast<llvm::SelectInst>(&i)) return visit_select(*select);
  if (auto* address = dyn_cast<llvm::GetElementPtrInst>(&i); address && tracked(&i))
    return visit_address_arithmetic(*address);
  if (isa<llvm::ExtractValueInst>(i) || isa<llvm::InsertValueInst>(i)) return visit_aggregate(i);
  const bool same = isa<llvm::FreezeInst>(i) || isa<llvm::PtrToIntInst>(i) || isa<llvm::IntToPtrInst>(i) ||
                    isa<llvm::BitCastInst>(i) || isa<llvm::TruncInst>(i) || isa<llvm::ZExtInst>(i) ||
                    isa<llvm::SExtInst>(i);
  if (same && tracked(&i) && trackable(i.getOperand(0)->getType())) {
    llvm::Value* x = i.getOperand(0);
    const bool is_signed = isa<llvm::SExtInst>(i);
    const unsigned from = width(x->getType()), to = width(i.getType());
    return add(&i, 0, {x}, [=, this](Builder& b) -> llvm::Value* {
      if (from == to) return term(x);
      return call(b, "heddle_sym_resize", i32_, {term(x), i32(to), i32(is_signed)});
    });
  }
  // Floating point, vectors, wide integers: the value is taken as it is.
  for (llvm::Value* operand : i.operands())
    if (trackable(operand->getType()) && tracked(operand)) concretise(operand, i);
}

void Tracker::concretise(llvm::Value* v, llvm::Instruction& at) {
  add(nullptr, 0, {v},
      [=, this](Builder& b) { return call(b, "heddle_sym_concretise", b.getVoidTy(), {term(v), number(b, v)}); });
  flush(&at);
}

void Tracker::visit_binary(llvm::BinaryOperator& i) {
  llvm::Value *x = i.getOperand(0), *y = i.getOperand(1);
  std::uint32_t op = binary_code(i);
  if (const auto* overflowing = dyn_cast<llvm::OverflowingBinaryOperator>(&i))
    if (overflowing->hasNoSignedWrap() && op <= code(SymbolicOp::kMul)) op |= protocol::kNoSignedWrap;
  if (op >= code(SymbolicOp::kUdiv) && op <= code(SymbolicOp::kSrem)) {
    const bool is_signed = op == code(SymbolicOp::kSdiv) || op == code(SymbolicOp::kSrem);
    const auto* known = dyn_cast<llvm::ConstantInt>(y);
    if (tracked(y) || (is_signed && tracked(x) && (known == nullptr || known->isMinusOne()))) {
      const unsigned signed_width = is_signed ? width(x->getType()) : 0;
      add(nullptr, 0, {x, y}, [=, this](Builder& b) {
        return call(b, "heddle_sym_divide", b.getVoidTy(),
                    {i32(signed_width), term(x), number(b, x), term(y), number(b, y)});
      });
      flush(&i);
    }
  }
  add(&i, 0, {x, y}, [=, this](Builder& b) { return apply(b, op, width(x->getType()), x, y); });
}

// base + constant + index * stride + ...: one step per variable index, with the plain number it has got to.
void Tracker::visit_address_arithmetic(llvm::GetElementPtrInst& i) {
  llvm::MapVector<llvm::Value*, llvm::APInt> variable;
  llvm::APInt constant(64, 0);
  if (!trackable(i.getPointerOperandType()) || !i.collectOffset(layout_, 64, variable, constant)) return;
  llvm::SmallVector<const llvm::Value*, 4> operands = {i.getPointerOperand()};
  for (const auto& [index, stride] : variable) operands.push_back(index);
  llvm::Value* base = i.getPointerOperand();
  add(&i, 0, operands, [=, this](Builder& b) {
    llvm::Value* at = b.CreateAdd(number(b, base), b.getInt(constant));
    llvm::Value* t =
        call(b, "heddle_sym_apply", i32_,
             {i32(code(SymbolicOp::kAdd)), i32(64), term(base), number(b, base), i32(0), b.getInt(constant)});
    for (const auto& [index, stride] : variable) {
      llvm::Value* wide = b.CreateSExtOrTrunc(index, i64_);
      t = call(b, "heddle_sym_index", i32_, {t, at, term(index), wide, i32(width(index->getType())), b.getInt(stride)});
      at = b.CreateAdd(at, b.CreateMul(wide, b.getInt(stride)));
    }
    return t;
  });
}

// A term per element moves along.
void Tracker::visit_aggregate(llvm::Instruction& i) {
  if (!tracked(&i)) return;
  if (auto* extract = dyn_cast<llvm::ExtractValueInst>(&i)) {
    llvm::Value* from = extract->getAggregateOperand();
    const unsigned element = extract->getIndices()[0];
    if (extract->getNumIndices() != 1 || elements(from->getType()) == 0) return;
    return add(&i, 0, {from}, [=, this](Builder&) { return term(from, element); });
  }
  auto& insert = cast<llvm::InsertValueInst>(i);
  llvm::Value *into = insert.getAggregateOperand(), *value = insert.getInsertedValueOperand();
  if (insert.getNumIndices() != 1) return;
  for (unsigned e = 0; e < elements(i.getType()); ++e) {
    const bool replaced = e == insert.getIndices()[0];
    add(&i, e, {into, value}, [=, this](Builder&) { return replaced ? term(value) : term(into, e); });
  }
}

// A choice by a condition is a branch; the term is that of the side taken.
void Tracker::visit_select(llvm::SelectInst& i) {
  llvm::Value *c = i.getCondition(), *x = i.getTrueValue(), *y = i.getFalseValue();
  if (!trackable(c->getType())) return;
  if (tracked(c))
    add(nullptr, 0, {c},
        [=, this](Builder& b) { return call(b, "heddle_sym_branch", b.getVoidTy(), {term(c), number(b, c)}); });
  if (!tracked(&i)) return;
  for (unsigned e = 0; e < elements(i.getType()); ++e)
    add(&i, e, {x, y}, [=, this](Builder& b) { return b.CreateSelect(c, term(x, e), term(y, e)); });
}

void Tracker::visit_switch(llvm::SwitchInst& i) {
  llvm::Value* v = i.getCondition();
  if (!trackable(v->getType()) || !tracked(v)) return;
  llvm::SmallVector<llvm::Constant*, 16> cases;
  for (const auto& one : i.cases())
    cases.push_back(llvm::ConstantInt::get(i64_, one.getCaseValue()->getValue().getZExtValue()));
  add(nullptr, 0, {v}, [=, this](Builder& b) {
    auto* type = llvm::ArrayType::get(i64_, cases.size());
    auto* table = new llvm::GlobalVariable(module_, type, true, llvm::GlobalValue::PrivateLinkage,
                                           llvm::ConstantArray::get(type, cases), "heddle_sym_cases");
    return call(b, "heddle_sym_switch", b.getVoidTy(),
                {term(v), number(b, v), table, i32(static_cast<std::uint32_t>(cases.size()))});
  });
}

void Tracker::visit_return(llvm::ReturnInst& i) {
  llvm::Value* v = i.getReturnValue();
  flush(&i);
  if (!v || elements(v->getType()) == 0) return;
  if (i.getParent()->getTerminatingMustTailCall()) return;  // the callee has written it
  Builder b(&i);
  for (unsigned e = 0; e < elements(v->getType()); ++e) quiet_store(b, term(v, e), slot(b, 3, e));
}

// --- emission -------------------------------------------------------------------------------------------------------

llvm::Value* Tracker::call(Builder& b, llvm::StringRef name, llvm::Type* result,
                           llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::SmallVector<llvm::Type*, 6> types;
  for (const llvm::Value* argument : arguments) types.push_back(argument->getType());
  auto attributes = llvm::AttributeList().addFnAttribute(module_.getContext(), llvm::Attribute::NoUnwind);
  auto callee = module_.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false), attributes);
  return b.CreateCall(callee, arguments);
}

llvm::Value* Tracker::apply(Builder& b, std::uint32_t op, unsigned bits, llvm::Value* x, llvm::Value* y) {
  return call(b, "heddle_sym_apply", i32_,
              {i32(op), i32(bits), term(x), number(b, x), y ? term(y) : i32(0),
               y ? number(b, y) : llvm::ConstantInt::get(i64_, 0)});
}

llvm::Value* Tracker::number(Builder& b, llvm::Value* v) {
  return v->getType()->isPointerTy() ? b.CreatePtrToInt(v, i64_) : b.CreateZExtOrTrunc(v, i64_);
}

llvm::Value* Tracker::slot(Builder& b, unsigned field, unsigned index) {
  if (field < 2) return b.CreateStructGEP(call_type_, call_record_, field);
  return b.CreateConstInBoundsGEP2_32(call_type_->getElementType(field),
                                      b.CreateStructGEP(call_type_, call_record_, field), 0, index);
}

llvm::LoadInst* Tracker::quiet_load(Builder& b, llvm::Type* type, llvm::Value* from) {
  llvm::LoadInst* load = b.CreateLoad(type, from);
  load->setMetadata(llvm::LLVMContext::MD_nosanitize, llvm::MDNode::get(module_.getContext(), {}));
  return load;
}

void Tracker::quiet_store(Builder& b, llvm::Value* value, llvm::Value* to) {
  b.CreateStore(value, to)->setMetadata(llvm::LLVMContext::MD_nosanitize, llvm::MDNode::get(module_.getContext(), {}));
}

}  // namespace heddle::pass
