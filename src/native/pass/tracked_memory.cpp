// Terms of memory. They are looked up and written behind the access, in the same breath: accesses are where other
// threads run, and those run in front of it.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Module.h>

#include "native/pass/tracker.h"

namespace heddle::pass {

using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;
using protocol::SymbolicOp;

namespace {

bool is_constant_object(const llvm::Value* address) {
  const auto* global = dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(address));
  return global && global->isConstant();
}

SymbolicOp update_code(llvm::AtomicRMWInst::BinOp op) {
  using U = llvm::AtomicRMWInst;
  switch (op) {
    case U::Xchg:
      return SymbolicOp::kExchange;
    case U::Add:
      return SymbolicOp::kAdd;
    case U::Sub:
      return SymbolicOp::kSub;
    case U::And:
      return SymbolicOp::kAnd;
    case U::Or:
      return SymbolicOp::kOr;
    case U::Xor:
      return SymbolicOp::kXor;
    case U::Nand:
      return SymbolicOp::kNand;
    case U::Max:
      return SymbolicOp::kSmax;
    case U::Min:
      return SymbolicOp::kSmin;
    case U::UMax:
      return SymbolicOp::kUmax;
    case U::UMin:
      return SymbolicOp::kUmin;
    default:
      return SymbolicOp::kUnsupported;
  }
}

}  // namespace

// Is there anything at all? An access longer than the table's reach is not answered by it.
llvm::Value* Tracker::may_hold_terms(Builder& b, llvm::Value* address) {
  llvm::Value* line = b.CreateLShr(b.CreatePtrToInt(address, i64_), protocol::kFilterShift);
  llvm::Value* index = b.CreateAnd(line, (1u << protocol::kFilterBits) - 1);
  llvm::Value* place = b.CreateInBoundsGEP(b.getInt8Ty(), filter_, index);
  return quiet_load(b, b.getInt8Ty(), place);
}

Tracker::Object Tracker::object_of(const llvm::Value* address) const {
  const llvm::Value* object = llvm::getUnderlyingObject(address, 12);
  if (const auto* global = dyn_cast<llvm::GlobalVariable>(object); global && global->getValueType()->isSized())
    return {const_cast<llvm::GlobalVariable*>(global), layout_.getTypeAllocSize(global->getValueType())};
  if (const auto* local = dyn_cast<llvm::AllocaInst>(object); local && local->isStaticAlloca()) {
    const auto known = local->getAllocationSize(layout_);
    return {const_cast<llvm::AllocaInst*>(local), known ? known->getFixedValue() : 0};
  }
  return {const_cast<llvm::Value*>(object), 0};
}

// The pointer that the address was made from, for the runtime to look up: of no use if it depends on inputs itself.
llvm::Value* Tracker::base_of(Builder& b, const Object& object) {
  if (object.extent != 0 || !trackable(object.base->getType()) || !tracked(object.base)) return object.base;
  auto* nowhere = llvm::ConstantPointerNull::get(cast<llvm::PointerType>(object.base->getType()));
  return b.CreateSelect(b.CreateICmpEQ(term(object.base), i32(0)), object.base, nowhere);
}

// The address itself depends on inputs: which one it is, is a step of its own.
void Tracker::resolve_address(llvm::Value* address, std::uint64_t size, llvm::Instruction& at) {
  if (!trackable(address->getType()) || !tracked(address)) return;
  const Object object = object_of(address);
  add(nullptr, 0, {address}, [=, this](Builder& b) {
    return call(b, "heddle_sym_address", b.getVoidTy(),
                {term(address), address, b.getInt64(size), base_of(b, object), b.getInt64(object.extent)});
  });
  flush(&at);
}

// The same for a read, which may give a term over all the places there are instead; until the load has happened it
// stands for the load's own.
void Tracker::resolve_read(llvm::LoadInst& i) {
  llvm::Value* address = i.getPointerOperand();
  if (!trackable(address->getType()) || !tracked(address)) return;
  if (!trackable(i.getType()) || i.isAtomic()) return resolve_address(address, bytes(i.getType()), i);
  const Object object = object_of(address);
  const std::uint64_t size = bytes(i.getType());
  const unsigned bits = width(i.getType());
  add(&i, 0, {address}, [=, this](Builder& b) {
    return call(b, "heddle_sym_look_up", i32_,
                {term(address), address, b.getInt64(size), base_of(b, object), b.getInt64(object.extent), i32(bits)});
  });
  flush(&i);
}

void Tracker::visit_load(llvm::LoadInst& i) {
  llvm::Value* address = i.getPointerOperand();
  resolve_read(i);
  if (!tracked(&i) || is_constant_object(address)) return;
  const std::uint64_t size = bytes(i.getType());
  llvm::Value* all_places = term(&i);
  llvm::Instruction* next = i.getNextNode();
  Builder b(next);
  b.SetCurrentDebugLocation(i.getDebugLoc());
  llvm::Value* some = b.CreateICmpNE(b.CreateOr(b.CreateZExt(may_hold_terms(b, address), i32_), all_places), i32(0));
  llvm::BasicBlock* head = next->getParent();
  llvm::Instruction* end = cold_block(some, next);
  Builder cold(end);
  cold.SetCurrentDebugLocation(i.getDebugLoc());
  llvm::Value* t = call(cold, "heddle_sym_load", i32_,
                        {address, i32(static_cast<std::uint32_t>(size)), all_places, i32(width(i.getType()))});
  Builder join(next->getParent(), next->getParent()->begin());
  llvm::PHINode* phi = join.CreatePHI(i32_, 2);
  phi->addIncoming(i32(0), head);
  phi->addIncoming(t, end->getParent());
  set_term(&i, phi);
}

void Tracker::visit_store(llvm::StoreInst& i) {
  llvm::Value *address = i.getPointerOperand(), *value = i.getValueOperand();
  if (i.getPointerAddressSpace() != 0) return;
  const std::uint64_t size = bytes(value->getType());
  resolve_address(address, size, i);
  const bool plain = trackable(value->getType());
  if (i.isAtomic() && plain && tracked(value)) {
    add(nullptr, 0, {value}, [=, this](Builder& b) {
      return call(b, "heddle_sym_before_atomic", b.getVoidTy(), {address, term(value), number(b, value)});
    });
  }
  if (plain && tracked(value)) flush(&i);
  Builder b(i.getNextNode());
  b.SetCurrentDebugLocation(i.getDebugLoc());
  llvm::Value* some = may_hold_terms(b, address);
  llvm::Value* t = plain ? term(value) : i32(0);
  llvm::Value* any = b.CreateOr(b.CreateZExt(some, i32_), t);
  // A long value may end in other lines than the one looked at.
  if (size > protocol::kFilterReach) any = i32(1);
  llvm::Instruction* end =
      cold_block(b.CreateICmpNE(any, i32(0)), i.getNextNode() == nullptr ? &i : &*b.GetInsertPoint());
  Builder cold(end);
  cold.SetCurrentDebugLocation(i.getDebugLoc());
  call(cold, "heddle_sym_store", cold.getVoidTy(),
       {address, cold.getInt64(size), t, plain ? number(cold, value) : cold.getInt64(0)});
}

void Tracker::visit_update(llvm::AtomicRMWInst& i) {
  llvm::Value *address = i.getPointerOperand(), *value = i.getValOperand();
  resolve_address(address, bytes(value->getType()), i);
  if (!trackable(value->getType())) return;
  if (tracked(value)) {
    add(nullptr, 0, {value}, [=, this](Builder& b) {
      return call(b, "heddle_sym_before_atomic", b.getVoidTy(), {address, term(value), number(b, value)});
    });
    flush(&i);
  }
  llvm::Instruction* next = i.getNextNode();
  Builder b(next);
  b.SetCurrentDebugLocation(i.getDebugLoc());
  llvm::Value* any = b.CreateOr(b.CreateZExt(may_hold_terms(b, address), i32_), term(value));
  llvm::BasicBlock* head = next->getParent();
  llvm::Instruction* end = cold_block(b.CreateICmpNE(any, i32(0)), next);
  Builder cold(end);
  cold.SetCurrentDebugLocation(i.getDebugLoc());
  llvm::Value* t = call(cold, "heddle_sym_update", i32_,
                        {i32(static_cast<std::uint32_t>(update_code(i.getOperation()))), address,
                         i32(width(value->getType())), term(value), number(cold, value), number(cold, &i)});
  Builder join(next->getParent(), next->getParent()->begin());
  llvm::PHINode* phi = join.CreatePHI(i32_, 2);
  phi->addIncoming(i32(0), head);
  phi->addIncoming(t, end->getParent());
  set_term(&i, phi);
}

// What is compared, and what is there, must be plain numbers: whether the exchange happens is part of the step.
void Tracker::visit_compare_exchange(llvm::AtomicCmpXchgInst& i) {
  llvm::Value *address = i.getPointerOperand(), *expected = i.getCompareOperand(), *wanted = i.getNewValOperand();
  resolve_address(address, bytes(wanted->getType()), i);
  for (llvm::Value* v : {expected, wanted})
    if (trackable(v->getType()) && tracked(v)) concretise(v, i);
  Builder b(i.getNextNode());
  b.SetCurrentDebugLocation(i.getDebugLoc());
  llvm::Instruction* end = cold_block(b.CreateICmpNE(may_hold_terms(b, address), b.getInt8(0)), &*b.GetInsertPoint());
  Builder cold(end);
  cold.SetCurrentDebugLocation(i.getDebugLoc());
  call(cold, "heddle_sym_compared", cold.getVoidTy(), {address, cold.getInt64(bytes(wanted->getType()))});
}

// Does a range stay inside its object, if the size of that is known and the compiler cannot tell? A length that depends
// on inputs may be one that does not.
void Tracker::check_range(llvm::Value* address, llvm::Value* length, llvm::Instruction& at) {
  const Object object = object_of(address);
  if (object.extent == 0 || isa<llvm::ConstantInt>(length)) return;
  if (tracked(length)) {
    add(nullptr, 0, {length}, [=, this](Builder& b) {
      return call(b, "heddle_sym_length", b.getVoidTy(),
                  {term(length), number(b, length), address, object.base, b.getInt64(object.extent)});
    });
    flush(&at);
  }
  Builder b(&at);
  b.SetCurrentDebugLocation(at.getDebugLoc());
  llvm::Value* size = b.CreateZExtOrTrunc(length, i64_);
  llvm::Value* offset = b.CreateSub(b.CreatePtrToInt(address, i64_), b.CreatePtrToInt(object.base, i64_));
  llvm::Value* extent = b.getInt64(object.extent);
  llvm::Value* beyond = b.CreateOr(b.CreateICmpUGT(offset, extent), b.CreateICmpUGT(size, b.CreateSub(extent, offset)));
  Builder cold(cold_block(beyond, &at));
  cold.SetCurrentDebugLocation(at.getDebugLoc());
  call(cold, "heddle_sym_beyond", cold.getVoidTy(), {address, size, object.base, extent});
}

void Tracker::visit_memory_intrinsic(llvm::MemIntrinsic& i) {
  llvm::Value *to = i.getRawDest(), *length = i.getLength();
  check_range(to, length, i);
  if (auto* transfer = dyn_cast<llvm::MemTransferInst>(&i)) check_range(transfer->getRawSource(), length, i);
  if (tracked(length)) concretise(length, i);
  resolve_address(to, 1, i);
  auto* set = dyn_cast<llvm::MemSetInst>(&i);
  llvm::Value* source = set ? set->getValue() : cast<llvm::MemTransferInst>(i).getRawSource();
  if (!set)
    resolve_address(source, 1, i);
  else if (tracked(source))
    flush(&i);
  if (to->getType()->getPointerAddressSpace() != 0) return;
  if (!set && source->getType()->getPointerAddressSpace() != 0) return;
  llvm::Instruction* next = i.getNextNode();
  Builder b(next);
  b.SetCurrentDebugLocation(i.getDebugLoc());
  auto* live = cast<llvm::GlobalVariable>(module_.getOrInsertGlobal("heddle_sym_live", i32_));
  llvm::Value* any = quiet_load(b, i32_, live);
  if (set) any = b.CreateOr(any, term(source));
  llvm::Instruction* end = cold_block(b.CreateICmpNE(any, i32(0)), next);
  Builder cold(end);
  cold.SetCurrentDebugLocation(i.getDebugLoc());
  llvm::Value* size = cold.CreateZExtOrTrunc(length, i64_);
  if (set)
    call(cold, "heddle_sym_fill", cold.getVoidTy(), {to, size, term(source), number(cold, source)});
  else
    call(cold, "heddle_sym_copy", cold.getVoidTy(), {to, source, size});
}

}  // namespace heddle::pass
