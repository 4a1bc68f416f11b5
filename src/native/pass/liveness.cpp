// Values: the usual walk from each use back to the definition, which in SSA form is passed on every way to the use.
//
// Local variables: their addresses are followed to what is done with them. Whatever is not understood makes the
// address known to others. Then two questions, each by a walk over blocks: may the variable be in scope, and may it be
// read before it is written whole? Scopes are the front end's marks (llvm.lifetime); the wrapper asks for them at -O0,
// too.
#include "native/pass/liveness.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "native/pass/sharing.h"

namespace heddle::pass {

using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

LiveValue::LiveValue(const llvm::Instruction& value) : value_(value) {
  llvm::SmallVector<const llvm::BasicBlock*, 16> needed_at_end;
  const auto needed_on_entry = [&](const llvm::BasicBlock* block) {
    if (block == value.getParent()) return;
    for (const llvm::BasicBlock* before : llvm::predecessors(block)) needed_at_end.push_back(before);
  };
  for (const llvm::Use& use : value.uses()) {
    const auto* user = cast<llvm::Instruction>(use.getUser());
    if (const auto* phi = dyn_cast<llvm::PHINode>(user))
      needed_at_end.push_back(phi->getIncomingBlock(use));
    else
      needed_on_entry(user->getParent());
  }
  while (!needed_at_end.empty()) {
    const llvm::BasicBlock* block = needed_at_end.pop_back_val();
    if (live_out_.insert(block).second) needed_on_entry(block);
  }
}

bool LiveValue::needed_at(const llvm::Instruction& at) const {
  const llvm::BasicBlock* block = at.getParent();
  if (value_.getParent() == block && !value_.comesBefore(&at)) return false;
  if (live_out_.contains(block)) return true;
  for (const llvm::User* user : value_.users()) {
    const auto* i = cast<llvm::Instruction>(user);
    if (i->getParent() == block && !isa<llvm::PHINode>(i) && !i->comesBefore(&at)) return true;
  }
  return false;
}

LiveVariable::LiveVariable(const llvm::AllocaInst& variable) : variable_(variable) {
  const llvm::DataLayout& layout = variable.getModule()->getDataLayout();
  const auto size = variable.getAllocationSize(layout);
  size_ = size && !size->isScalable() ? size->getFixedValue() : 0;
  look_at_uses_of(variable);
}

namespace {

// A pointer that is kept in a local variable of the function's own (parameters are, without optimisation) is known to
// those who load it from there.
bool is_own(const llvm::AllocaInst& variable) {
  return llvm::all_of(variable.users(), [&](const llvm::User* user) {
    if (const auto* store = dyn_cast<llvm::StoreInst>(user)) return store->getValueOperand() != &variable;
    const auto* i = dyn_cast<llvm::Instruction>(user);
    return isa<llvm::LoadInst>(user) || (i != nullptr && i->isLifetimeStartOrEnd());
  });
}

}  // namespace

void LiveVariable::look_at_store(const llvm::StoreInst& store, const llvm::Value& pointer) {
  const llvm::DataLayout& layout = variable_.getModule()->getDataLayout();
  if (store.getValueOperand() != &pointer) {
    if (&pointer == &variable_ && layout.getTypeStoreSize(store.getValueOperand()->getType()) == size_)
      events_.emplace_back(&store, Event::kWritten);
    return;
  }
  const auto* keeper = dyn_cast<llvm::AllocaInst>(store.getPointerOperand());
  if (keeper == nullptr || !is_own(*keeper)) {
    known_to_others_ = true;
    return;
  }
  for (const llvm::User* user : keeper->users())
    if (isa<llvm::LoadInst>(user)) look_at_uses_of(*user);
}

void LiveVariable::look_at_uses_of(const llvm::Value& pointer) {
  if (!seen_.insert(&pointer).second) return;
  for (const llvm::Use& use : pointer.uses()) {
    const auto* i = cast<llvm::Instruction>(use.getUser());
    if (isa<llvm::LoadInst>(i)) {
      events_.emplace_back(i, Event::kRead);
    } else if (const auto* store = dyn_cast<llvm::StoreInst>(i)) {
      look_at_store(*store, pointer);
    } else if (isa<llvm::GetElementPtrInst>(i) || isa<llvm::BitCastInst>(i) || isa<llvm::PHINode>(i) ||
               isa<llvm::SelectInst>(i)) {
      look_at_uses_of(*i);
    } else if (const auto* call = dyn_cast<llvm::CallBase>(i)) {
      look_at_call(*call, use);
    } else if (!isa<llvm::ICmpInst>(i)) {
      const bool updates = (isa<llvm::AtomicRMWInst>(i) || isa<llvm::AtomicCmpXchgInst>(i)) && use.getOperandNo() == 0;
      if (updates)
        events_.emplace_back(i, Event::kRead);
      else
        known_to_others_ = true;
    }
  }
}

namespace {

// Functions of the C library that are known not to keep a pointer to a time; those of `kClocks` write it.
constexpr std::pair<llvm::StringRef, unsigned> kClocks[] = {
    {"clock_gettime", 1}, {"timespec_get", 0}, {"gettimeofday", 0}, {"time", 0}};
constexpr std::pair<llvm::StringRef, unsigned> kUntil[] = {{"pthread_cond_timedwait", 2},
                                                           {"pthread_cond_clockwait", 3},
                                                           {"pthread_mutex_timedlock", 1},
                                                           {"pthread_mutex_clocklock", 2},
                                                           {"pthread_rwlock_timedrdlock", 1},
                                                           {"pthread_rwlock_timedwrlock", 1},
                                                           {"pthread_rwlock_clockrdlock", 2},
                                                           {"pthread_rwlock_clockwrlock", 2},
                                                           {"sem_timedwait", 1},
                                                           {"sem_clockwait", 2},
                                                           {"nanosleep", 0},
                                                           {"clock_nanosleep", 2},
                                                           {"cnd_timedwait", 2},
                                                           {"mtx_timedlock", 1},
                                                           {"thrd_sleep", 0}};

bool is_one_of(llvm::ArrayRef<std::pair<llvm::StringRef, unsigned>> known, const llvm::CallBase& call,
               const llvm::Use& use) {
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration() || !call.isArgOperand(&use)) return false;
  return llvm::is_contained(known, std::pair(callee->getName(), call.getArgOperandNo(&use)));
}

}  // namespace

void LiveVariable::look_at_call(const llvm::CallBase& call, const llvm::Use& use) {
  if (const auto* intrinsic = dyn_cast<llvm::IntrinsicInst>(&call)) {
    switch (intrinsic->getIntrinsicID()) {
      case llvm::Intrinsic::lifetime_start:
        has_scope_ = true;
        events_.emplace_back(&call, Event::kBegins);
        return;
      case llvm::Intrinsic::lifetime_end:
        events_.emplace_back(&call, Event::kEnds);
        return;
      default:
        break;
    }
    if (intrinsic->isAssumeLikeIntrinsic()) return;
    if (isa<llvm::MemIntrinsic>(intrinsic)) return look_at_transfer(call, use);
  }
  if (use.get() == &variable_ && is_one_of(kClocks, call, use)) {
    events_.emplace_back(&call, Event::kWritten);
    return;
  }
  events_.emplace_back(&call, Event::kRead);
  if (is_one_of(kClocks, call, use) || is_one_of(kUntil, call, use)) return;
  const llvm::Function* callee = call.getCalledFunction();
  const bool kept =
      call.isArgOperand(&use) && (call.doesNotCapture(call.getArgOperandNo(&use)) ||
                                  (callee != nullptr && call.getArgOperandNo(&use) < callee->arg_size() &&
                                   callee->getAttributes().hasParamAttr(call.getArgOperandNo(&use), kKeptPrivate)));
  if (!kept) known_to_others_ = true;
}

// memcpy and the like: the source is read, the destination written.
void LiveVariable::look_at_transfer(const llvm::Instruction& call, const llvm::Use& use) {
  const auto& transfer = cast<llvm::MemIntrinsic>(call);
  const auto* length = dyn_cast<llvm::ConstantInt>(transfer.getLength());
  if (use.getOperandNo() != 0)
    events_.emplace_back(&call, Event::kRead);
  else if (use.get() == &variable_ && length != nullptr && length->getZExtValue() >= size_)
    events_.emplace_back(&call, Event::kWritten);
}

bool LiveVariable::needed_at(const llvm::Instruction& at) const {
  if (has_scope_ && !in_scope_at(at)) return false;
  return known_to_others_ || read_before_written_after(at);
}

// Backwards from `at`: is there a way on which the last that happened to its scope is that it began?
bool LiveVariable::in_scope_at(const llvm::Instruction& at) const {
  const auto last_in = [&](const llvm::BasicBlock& block, const llvm::Instruction* before) -> std::optional<Event> {
    std::optional<Event> last;
    const llvm::Instruction* where = nullptr;
    for (const auto& [i, event] : events_) {
      const bool of_scope = event == Event::kBegins || event == Event::kEnds;
      if (!of_scope || i->getParent() != &block || (before && !i->comesBefore(before))) continue;
      if (where && i->comesBefore(where)) continue;
      where = i;
      last = event;
    }
    return last;
  };
  if (const auto here = last_in(*at.getParent(), &at)) return *here == Event::kBegins;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> visited;
  llvm::SmallVector<const llvm::BasicBlock*, 16> left(llvm::predecessors(at.getParent()));
  while (!left.empty()) {
    const llvm::BasicBlock* block = left.pop_back_val();
    if (!visited.insert(block).second) continue;
    const auto last = last_in(*block, nullptr);
    if (last == Event::kBegins) return true;
    if (!last) left.append(llvm::pred_begin(block), llvm::pred_end(block));
  }
  return false;
}

std::optional<LiveVariable::Event> LiveVariable::first_event(const llvm::BasicBlock& block,
                                                             const llvm::Instruction* after) const {
  std::optional<Event> first;
  const llvm::Instruction* where = nullptr;
  for (const auto& [i, event] : events_) {
    if (i->getParent() != &block || (after && i->comesBefore(after))) continue;
    if (where && !i->comesBefore(where) && !(i == where && event == Event::kRead)) continue;
    where = i;
    first = event;
  }
  return first;
}

bool LiveVariable::read_before_written_after(const llvm::Instruction& at) const {
  if (const auto here = first_event(*at.getParent(), &at)) return *here == Event::kRead;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> visited;
  llvm::SmallVector<const llvm::BasicBlock*, 16> left(llvm::successors(at.getParent()));
  while (!left.empty()) {
    const llvm::BasicBlock* block = left.pop_back_val();
    if (!visited.insert(block).second) continue;
    const auto first = first_event(*block, nullptr);
    if (first == Event::kRead) return true;
    if (!first) left.append(llvm::succ_begin(block), llvm::succ_end(block));
  }
  return false;
}

}  // namespace heddle::pass
