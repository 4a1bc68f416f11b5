// The ABI knows integers of 8 to 128 bits, so pointers and floating point travel as integers of their size. It knows
// seven read-modify-write operations; the others (minimum, maximum, floating-point addition, wrapping increments)
// become the loop a compiler would emit on a machine without them: load, compute, compare-and-exchange, again if it
// failed. Compare-and-exchange is the ABI's `_val` form, which returns the value found; success is whether that equals
// the expected bits. A weak exchange may fail although it found them: the runtime is told by a bit of
// the order of failure, and says in a variable whether it has (runtime/atomics.cpp).
#include "native/pass/atomics.h"

#include <optional>

#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

namespace heddle::pass {
namespace {

llvm::ConstantInt* order_of(llvm::IRBuilder<>& at, llvm::AtomicOrdering ordering) {
  // LLVM's own mapping to the C ABI's memory_order; "unordered" has no C equal and is weaker than relaxed.
  if (ordering == llvm::AtomicOrdering::Unordered) ordering = llvm::AtomicOrdering::Monotonic;
  return at.getInt32(static_cast<std::uint32_t>(llvm::toCABI(ordering)));
}

unsigned bits_of(const llvm::Instruction& instruction, llvm::Type* type) {
  return static_cast<unsigned>(instruction.getModule()->getDataLayout().getTypeStoreSizeInBits(type));
}

llvm::Value* to_integer(llvm::IRBuilder<>& at, llvm::Value* value, unsigned bits) {
  return at.CreateBitOrPointerCast(value, at.getIntNTy(bits));
}

void replace(llvm::Instruction& old, llvm::Value* value) {
  value->takeName(&old);
  old.replaceAllUsesWith(value);
  old.eraseFromParent();
}

// The ABI's name, or empty where it has none.
llvm::StringRef entry_of(llvm::AtomicRMWInst::BinOp operation) {
  switch (operation) {
    case llvm::AtomicRMWInst::Xchg:
      return "exchange";
    case llvm::AtomicRMWInst::Add:
      return "fetch_add";
    case llvm::AtomicRMWInst::Sub:
      return "fetch_sub";
    case llvm::AtomicRMWInst::And:
      return "fetch_and";
    case llvm::AtomicRMWInst::Or:
      return "fetch_or";
    case llvm::AtomicRMWInst::Xor:
      return "fetch_xor";
    case llvm::AtomicRMWInst::Nand:
      return "fetch_nand";
    default:  // LLVM's enumeration grows; whatever it grows by takes the loop
      return {};
  }
}

//   start:  first = load(p)
//   retry:  seen = phi(first, found); wanted = op(seen, v); found = compare_exchange(p, seen, wanted)
//           if (found != seen) goto retry
void expand_to_loop(Callbacks& callbacks, llvm::AtomicRMWInst& update, unsigned bits) {
  llvm::BasicBlock* start = update.getParent();
  llvm::BasicBlock* after = start->splitBasicBlock(update.getIterator(), "heddle.rmw.end");
  llvm::BasicBlock* retry =
      llvm::BasicBlock::Create(update.getContext(), "heddle.rmw.retry", start->getParent(), after);
  start->getTerminator()->eraseFromParent();

  llvm::IRBuilder<> at(start);
  at.SetCurrentDebugLocation(update.getDebugLoc());
  llvm::Type* integer = at.getIntNTy(bits);
  llvm::Value* address = update.getPointerOperand();
  llvm::Value* order = order_of(at, update.getOrdering());
  llvm::Value* relaxed = order_of(at, llvm::AtomicOrdering::Monotonic);
  llvm::Value* first = callbacks.atomic(at, bits, "load", integer, {address, relaxed});
  at.CreateBr(retry);

  at.SetInsertPoint(retry);
  llvm::PHINode* seen = at.CreatePHI(integer, 2, "seen");
  seen->addIncoming(first, start);
  llvm::Value* old = at.CreateBitOrPointerCast(seen, update.getType());
  llvm::Value* wanted = llvm::buildAtomicRMWValue(update.getOperation(), at, old, update.getValOperand());
  llvm::Value* found = callbacks.atomic(at, bits, "compare_exchange_val", integer,
                                        {address, seen, to_integer(at, wanted, bits), order, relaxed});
  seen->addIncoming(found, retry);
  at.CreateCondBr(at.CreateICmpEQ(found, seen), after, retry);
  replace(update, old);
}

// "__atomic_fetch_add_16" -> "fetch_add", 128 bits.
struct LibraryAtomic {
  llvm::StringRef entry;
  unsigned bits = 0;
};

std::optional<LibraryAtomic> library_atomic(llvm::StringRef name) {
  if (!name.consume_front("__atomic_")) return std::nullopt;
  const auto [entry, suffix] = name.rsplit('_');
  unsigned bytes = 0;
  if (suffix.getAsInteger(10, bytes) || bytes == 0 || bytes > 16 || (bytes & (bytes - 1)) != 0) return std::nullopt;
  for (const char* known : {"load", "store", "exchange", "compare_exchange", "fetch_add", "fetch_sub", "fetch_and",
                            "fetch_or", "fetch_xor", "fetch_nand"})
    if (entry == known) return LibraryAtomic{entry, bytes * 8};
  return std::nullopt;
}

llvm::Value* order_of_failure(llvm::IRBuilder<>& at, const llvm::AtomicCmpXchgInst& exchange) {
  constexpr int kWeak = 0x100;
  llvm::Value* order = order_of(at, exchange.getFailureOrdering());
  return exchange.isWeak() ? at.CreateOr(order, at.getInt32(kWeak)) : order;
}

llvm::Value* failed_for_no_reason(llvm::IRBuilder<>& at) {
  llvm::Module& module = *at.GetInsertBlock()->getModule();
  llvm::Value* said = module.getOrInsertGlobal("heddle_exchange_failed", at.getInt8Ty());
  return at.CreateICmpNE(at.CreateLoad(at.getInt8Ty(), said), at.getInt8(0));
}

}  // namespace

bool has_atomic_entry(const llvm::DataLayout& layout, llvm::Type* type) {
  const llvm::TypeSize size = layout.getTypeStoreSizeInBits(type);
  if (size.isScalable()) return false;
  const std::uint64_t bits = size.getFixedValue();
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128;
}

void replace_atomic_load(Callbacks& callbacks, llvm::LoadInst& load) {
  llvm::IRBuilder<> at(&load);
  const unsigned bits = bits_of(load, load.getType());
  llvm::Value* value = callbacks.atomic(at, bits, "load", at.getIntNTy(bits),
                                        {load.getPointerOperand(), order_of(at, load.getOrdering())});
  replace(load, at.CreateBitOrPointerCast(value, load.getType()));
}

void replace_atomic_store(Callbacks& callbacks, llvm::StoreInst& store) {
  llvm::IRBuilder<> at(&store);
  const unsigned bits = bits_of(store, store.getValueOperand()->getType());
  callbacks.atomic(
      at, bits, "store", at.getVoidTy(),
      {store.getPointerOperand(), to_integer(at, store.getValueOperand(), bits), order_of(at, store.getOrdering())});
  store.eraseFromParent();
}

void replace_compare_exchange(Callbacks& callbacks, llvm::AtomicCmpXchgInst& exchange) {
  llvm::IRBuilder<> at(&exchange);
  llvm::Type* type = exchange.getNewValOperand()->getType();
  const unsigned bits = bits_of(exchange, type);
  llvm::Value* expected = to_integer(at, exchange.getCompareOperand(), bits);
  llvm::Value* desired = to_integer(at, exchange.getNewValOperand(), bits);
  llvm::Value* found = callbacks.atomic(at, bits, "compare_exchange_val", at.getIntNTy(bits),
                                        {exchange.getPointerOperand(), expected, desired,
                                         order_of(at, exchange.getSuccessOrdering()), order_of_failure(at, exchange)});
  llvm::Value* success = at.CreateICmpEQ(found, expected);
  if (exchange.isWeak()) success = at.CreateAnd(success, at.CreateNot(failed_for_no_reason(at)));
  llvm::Value* pair = llvm::PoisonValue::get(exchange.getType());
  pair = at.CreateInsertValue(pair, at.CreateBitOrPointerCast(found, type), 0);
  replace(exchange, at.CreateInsertValue(pair, success, 1));
}

void replace_read_modify_write(Callbacks& callbacks, llvm::AtomicRMWInst& update) {
  const unsigned bits = bits_of(update, update.getType());
  const llvm::StringRef entry = entry_of(update.getOperation());
  if (entry.empty()) {
    expand_to_loop(callbacks, update, bits);
    return;
  }
  llvm::IRBuilder<> at(&update);
  llvm::Value* old = callbacks.atomic(
      at, bits, entry, at.getIntNTy(bits),
      {update.getPointerOperand(), to_integer(at, update.getValOperand(), bits), order_of(at, update.getOrdering())});
  replace(update, at.CreateBitOrPointerCast(old, update.getType()));
}

void replace_fence(Callbacks& callbacks, llvm::FenceInst& fence) {
  llvm::IRBuilder<> at(&fence);
  callbacks.fence(at, fence.getSyncScopeID() != llvm::SyncScope::SingleThread, order_of(at, fence.getOrdering()));
  fence.eraseFromParent();
}

bool replace_library_atomic(Callbacks& callbacks, llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration()) return false;
  const auto atomic = library_atomic(callee->getName());
  if (!atomic) return false;
  llvm::IRBuilder<> at(&call);
  llvm::Type* integer = at.getIntNTy(atomic->bits);
  const auto as_order = [&](llvm::Value* order) { return at.CreateZExtOrTrunc(order, at.getInt32Ty()); };
  const auto operand = [&](unsigned i) { return call.getArgOperand(i); };

  if (atomic->entry == "load") {
    if (call.arg_size() != 2 || call.getType() != integer) return false;
    replace(call, callbacks.atomic(at, atomic->bits, "load", integer, {operand(0), as_order(operand(1))}));
    return true;
  }
  if (atomic->entry == "compare_exchange") {
    // bool(T* object, T* expected, T desired, int success, int failure): the value found goes to *expected.
    if (call.arg_size() != 5 || operand(2)->getType() != integer || !call.getType()->isIntegerTy()) return false;
    llvm::Value* expected = at.CreateLoad(integer, operand(1));
    llvm::Value* found =
        callbacks.atomic(at, atomic->bits, "compare_exchange_val", integer,
                         {operand(0), expected, operand(2), as_order(operand(3)), as_order(operand(4))});
    at.CreateStore(found, operand(1));
    replace(call, at.CreateZExtOrTrunc(at.CreateICmpEQ(found, expected), call.getType()));
    return true;
  }
  if (call.arg_size() != 3 || operand(1)->getType() != integer) return false;
  const bool is_store = atomic->entry == "store";
  llvm::CallInst* result = callbacks.atomic(at, atomic->bits, atomic->entry, is_store ? at.getVoidTy() : integer,
                                            {operand(0), operand(1), as_order(operand(2))});
  if (is_store)
    call.eraseFromParent();
  else
    replace(call, result);
  return true;
}

}  // namespace heddle::pass
