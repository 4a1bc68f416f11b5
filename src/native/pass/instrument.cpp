// Instrumentation of a function, after the optimiser has finished with it.
//
// Each load and store that may concern another thread gets a call in front of it that names the address; the
// runtime checks it for races and, where the location is visible, lets other threads run before it. The access itself
// stays where it is. Every access is announced, also a read whose location is written a
// moment later: dropping that read (as ThreadSanitizer does, for which the write is enough to find the race)
// would turn `x++` into one indivisible step and hide the lost update.
//
// Atomic instructions are replaced altogether (atomics.cpp), because the runtime has to know the value. The memory
// intrinsics become calls that do the copying and know their ranges. Vector accesses under a mask are announced
// lane by lane, so that a masked-out lane is not an access. Of inline assembly its text is read (assembly.cpp).
//
// Where the scope of a local variable ends whose address has left the function, the runtime is told: it is given back
// as a block on the heap is by free. Scopes are the front end's marks (liveness.cpp).
#include "native/pass/instrument.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "native/pass/assembly.h"
#include "native/pass/atomics.h"
#include "native/pass/sharing.h"

namespace heddle::pass {
namespace {

using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

// A fixed size in bytes, or 0 (scalable vectors, which x86 does not have).
std::uint64_t size_of(const llvm::Instruction& access, llvm::Type* type) {
  const llvm::TypeSize size = access.getModule()->getDataLayout().getTypeStoreSize(type);
  return size.isScalable() ? 0 : size.getFixedValue();
}

void announce_load(Callbacks& callbacks, llvm::LoadInst& load) {
  if (!may_be_shared(*load.getPointerOperand())) return;
  llvm::IRBuilder<> at(&load);
  if (is_vptr_access(load))
    callbacks.vptr_read(at, load.getPointerOperand());
  else
    callbacks.access(at, AccessKind::kRead, load.getPointerOperand(), size_of(load, load.getType()), load.getAlign());
}

void announce_store(Callbacks& callbacks, llvm::StoreInst& store) {
  if (!may_be_shared(*store.getPointerOperand())) return;
  llvm::IRBuilder<> at(&store);
  llvm::Value* value = store.getValueOperand();
  // Several tables can be stored at once by a vectorised constructor; those are ordinary writes.
  if (is_vptr_access(store) && value->getType()->isPointerTy())
    callbacks.vptr_update(at, store.getPointerOperand(), value);
  else
    callbacks.access(at, AccessKind::kWrite, store.getPointerOperand(), size_of(store, value->getType()),
                     store.getAlign());
}

// memcpy, memmove, memset and their inline forms. A copy between two private objects stays as it is.
void replace_memory_intrinsic(Callbacks& callbacks, llvm::MemIntrinsic& intrinsic) {
  llvm::IRBuilder<> at(&intrinsic);
  llvm::Value* bytes = at.CreateZExtOrTrunc(intrinsic.getLength(), at.getInt64Ty());
  llvm::Value* destination = intrinsic.getRawDest();
  if (const auto* set = dyn_cast<llvm::MemSetInst>(&intrinsic)) {
    if (!may_be_shared(*destination)) return;
    callbacks.memory(at, "memset", {destination, at.CreateZExt(set->getValue(), at.getInt32Ty()), bytes});
  } else {
    const auto& transfer = cast<llvm::MemTransferInst>(intrinsic);
    if (destination->getType()->getPointerAddressSpace() != 0 || transfer.getSourceAddressSpace() != 0) return;
    if (!may_be_shared(*destination) && !may_be_shared(*transfer.getRawSource())) return;
    callbacks.memory(at, isa<llvm::MemMoveInst>(intrinsic) ? "memmove" : "memcpy",
                     {destination, transfer.getRawSource(), bytes});
  }
  intrinsic.eraseFromParent();
}

// A vector access under a mask: lane i is accessed if mask[i] holds.
struct MaskedAccess {
  AccessKind kind;
  llvm::FixedVectorType* type;
  llvm::Value* address;  // of lane 0, or a vector of addresses (gather, scatter)
  llvm::Value* mask;
};

std::optional<MaskedAccess> masked_access(const llvm::IntrinsicInst& call) {
  const auto vector = [](llvm::Value* v) { return dyn_cast<llvm::FixedVectorType>(v->getType()); };
  llvm::Value* self = const_cast<llvm::IntrinsicInst*>(&call);
  MaskedAccess access{};
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::masked_load:
    case llvm::Intrinsic::masked_gather:
      access = {AccessKind::kRead, vector(self), call.getArgOperand(0), call.getArgOperand(2)};
      break;
    case llvm::Intrinsic::masked_store:
    case llvm::Intrinsic::masked_scatter:
      access = {AccessKind::kWrite, vector(call.getArgOperand(0)), call.getArgOperand(1), call.getArgOperand(3)};
      break;
    default:
      return std::nullopt;
  }
  if (access.type == nullptr) return std::nullopt;
  if (access.address->getType()->isPointerTy() && !may_be_shared(*access.address)) return std::nullopt;
  return access;
}

void announce_lanes(Callbacks& callbacks, llvm::IntrinsicInst& call, const MaskedAccess& access) {
  llvm::Type* lane_type = access.type->getElementType();
  const std::uint64_t bytes = size_of(call, lane_type);
  const bool scattered = access.address->getType()->isVectorTy();
  for (unsigned lane = 0; lane < access.type->getNumElements(); ++lane) {
    llvm::IRBuilder<> at(&call);
    llvm::Value* active = at.CreateExtractElement(access.mask, lane);
    llvm::Instruction* then = llvm::SplitBlockAndInsertIfThen(active, call.getIterator(), /*Unreachable=*/false);
    at.SetInsertPoint(then);
    at.SetCurrentDebugLocation(call.getDebugLoc());
    llvm::Value* address = scattered ? at.CreateExtractElement(access.address, lane)
                                     : at.CreateConstGEP1_32(lane_type, access.address, lane);
    callbacks.access(at, access.kind, address, bytes, llvm::Align(1));
  }
}

// An argument passed by value in memory is copied by the call: a read of the whole of it.
void announce_by_value(Callbacks& callbacks, llvm::CallBase& call) {
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    if (!call.isByValArgument(i) || !may_be_shared(*call.getArgOperand(i))) continue;
    llvm::IRBuilder<> at(&call);
    callbacks.range(at, AccessKind::kRead, call.getArgOperand(i),
                    at.getInt64(size_of(call, call.getParamByValType(i))));
  }
}

void announce_end_of_scope(Callbacks& callbacks, llvm::IntrinsicInst& end) {
  auto* local = dyn_cast<llvm::AllocaInst>(end.getArgOperand(1)->stripPointerCasts());
  if (local == nullptr || !escapes(*local)) return;
  const auto bytes = local->getAllocationSize(end.getModule()->getDataLayout());
  if (!bytes || bytes->isScalable()) return;
  llvm::IRBuilder<> at(&end);
  callbacks.scope_ends(at, local, at.getInt64(bytes->getFixedValue()));
}

bool is_private_atomic(const llvm::Instruction& atomic) {
  const auto scope = llvm::getAtomicSyncScopeID(&atomic);
  return scope && *scope == llvm::SyncScope::SingleThread;
}

void instrument_call(Callbacks& callbacks, llvm::CallBase& call) {
  if (call.isInlineAsm()) return instrument_assembly(callbacks, call);
  if (auto* memory = dyn_cast<llvm::MemIntrinsic>(&call)) {
    replace_memory_intrinsic(callbacks, *memory);
    return;
  }
  if (auto* intrinsic = dyn_cast<llvm::IntrinsicInst>(&call)) {
    if (replace_uncontrolled_intrinsic(callbacks, *intrinsic)) return;
    if (intrinsic->getIntrinsicID() == llvm::Intrinsic::lifetime_end)
      return announce_end_of_scope(callbacks, *intrinsic);
    if (const auto access = masked_access(*intrinsic)) announce_lanes(callbacks, *intrinsic, *access);
    return;
  }
  announce_by_value(callbacks, call);
  if (auto* plain = dyn_cast<llvm::CallInst>(&call)) replace_library_atomic(callbacks, *plain);
}

void instrument_atomic(Callbacks& callbacks, llvm::Instruction& atomic) {
  if (auto* fence = dyn_cast<llvm::FenceInst>(&atomic)) {
    replace_fence(callbacks, *fence);
    return;
  }
  if (is_private_atomic(atomic)) return;
  const llvm::Value* address = llvm::getLoadStorePointerOperand(&atomic);
  llvm::Type* type = atomic.getType();
  if (auto* store = dyn_cast<llvm::StoreInst>(&atomic)) type = store->getValueOperand()->getType();
  if (auto* exchange = dyn_cast<llvm::AtomicCmpXchgInst>(&atomic)) {
    type = exchange->getNewValOperand()->getType();
    address = exchange->getPointerOperand();
  }
  if (auto* update = dyn_cast<llvm::AtomicRMWInst>(&atomic)) address = update->getPointerOperand();
  if (!may_be_shared(*address) || !has_atomic_entry(atomic.getModule()->getDataLayout(), type)) return;

  if (auto* load = dyn_cast<llvm::LoadInst>(&atomic))
    replace_atomic_load(callbacks, *load);
  else if (auto* store = dyn_cast<llvm::StoreInst>(&atomic))
    replace_atomic_store(callbacks, *store);
  else if (auto* exchange = dyn_cast<llvm::AtomicCmpXchgInst>(&atomic))
    replace_compare_exchange(callbacks, *exchange);
  else
    replace_read_modify_write(callbacks, cast<llvm::AtomicRMWInst>(atomic));
}

bool is_of_interest(const llvm::Instruction& i) {
  if (i.getMetadata(llvm::LLVMContext::MD_nosanitize) != nullptr) return false;
  return i.isAtomic() || isa<llvm::LoadInst>(i) || isa<llvm::StoreInst>(i) || isa<llvm::CallBase>(i);
}

// ThreadSanitizer does not look at assembly and clocks, takes weak exchanges for strong ones, and a member of a local
// variable for private unless the address of that member itself is passed on.
bool is_only_ours(const llvm::Instruction& i) {
  if (const auto* exchange = dyn_cast<llvm::AtomicCmpXchgInst>(&i)) return exchange->isWeak();
  if (const llvm::Value* address = llvm::getLoadStorePointerOperand(&i))
    return !i.isAtomic() && isa<llvm::AllocaInst>(llvm::getUnderlyingObject(address));
  return isa<llvm::CallBase>(i) && !isa<llvm::MemIntrinsic>(i);
}

}  // namespace

bool is_instrumented(const llvm::Function& function) {
  return !function.isDeclaration() && !function.hasAvailableExternallyLinkage() &&
         !function.hasFnAttribute(llvm::Attribute::Naked) &&
         !function.hasFnAttribute(llvm::Attribute::DisableSanitizerInstrumentation);
}

bool instrument(Callbacks& callbacks, llvm::Function& function, Announced announced) {
  if (!is_instrumented(function)) return false;
  llvm::SmallVector<llvm::Instruction*, 64> accesses;
  for (llvm::Instruction& i : llvm::instructions(function))
    if (is_of_interest(i) && (announced == Announced::kAll || is_only_ours(i))) accesses.push_back(&i);
  if (accesses.empty()) return false;

  for (llvm::Instruction* i : accesses) {
    if (announced == Announced::kOnlyByUs && !isa<llvm::CallBase>(i))
      i->setMetadata(llvm::LLVMContext::MD_nosanitize, llvm::MDNode::get(i->getContext(), {}));
    if (auto* call = dyn_cast<llvm::CallBase>(i))
      instrument_call(callbacks, *call);
    else if (i->isAtomic())
      instrument_atomic(callbacks, *i);
    else if (auto* load = dyn_cast<llvm::LoadInst>(i))
      announce_load(callbacks, *load);
    else
      announce_store(callbacks, cast<llvm::StoreInst>(*i));
  }
  // What the optimiser inferred about the function no longer holds: the callbacks synchronise.
  function.removeFnAttr(llvm::Attribute::Memory);
  function.removeFnAttr(llvm::Attribute::NoSync);
  function.removeFnAttr(llvm::Attribute::WillReturn);
  return true;
}

}  // namespace heddle::pass
