// Assembly is text, but its constraints are not: an operand in memory ("m", "=m", "+m") is a pointer with a type, and
// says whether it is read, written or both. The text says the rest:
//
//   lock; ... , xchg     an atomic read-modify-write: one step on its operand in memory
//   mov                  libraries of atomics (Concurrency Kit, liburcu) load and store with it: an atomic load that
//                        acquires, an atomic store that releases, as x86 has it; a step, and no data race
//   others               the plain accesses of the constraints; one that reads and writes does so in two steps, which
//   cannot
//                        be taken apart here, and that is said
//   mfence, lock on the stack    a fence
//   "", nop, pause       nothing: a compiler's barrier, or a hint
//   rdtsc                the virtual clock
//
// The size of an access is that of the instruction's suffix if it has one: liburcu's operands are of a type that is
// larger than what is accessed. What else touches memory - through a pointer in a register, by string instructions, in
// the kernel - is executed as it is, and the runtime is told what it was: the result is not called exhausted then.
#include "native/pass/assembly.h"

#include <utility>

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "native/pass/sharing.h"
#include "native/protocol/assembly_abi.h"

namespace heddle::pass {
namespace {

using llvm::StringRef;
using protocol::AssemblyAccess;

// The text as the AT&T assembler gets it: of variants "$(att$|intel$)" the first.
std::string first_variant(StringRef text) {
  std::string plain;
  bool skipped = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const StringRef two = text.substr(i, 2);
    if (two == "$(" || two == "$)" || two == "$|") {
      skipped = two == "$|";
      ++i;
    } else if (!skipped) {
      plain += text[i];
    }
  }
  return plain;
}

struct Line {
  StringRef mnemonic, operands;
  bool locked = false;
};

bool is_prefix(StringRef word) { return word == "lock" || (word.starts_with("rep") && word.size() <= 5); }

llvm::SmallVector<Line, 4> lines_of(StringRef text) {
  llvm::SmallVector<Line, 4> lines;
  llvm::SmallVector<StringRef, 8> parts;
  llvm::SplitString(text, parts, "\n;");
  bool locked = false;
  for (StringRef part : parts) {
    part = part.split('#').first.trim();
    Line line;
    do {
      const std::size_t end = part.find_first_of(" \t");
      line.mnemonic = part.substr(0, end);
      line.operands = part = end == StringRef::npos ? StringRef() : part.substr(end).trim();
      locked = locked || line.mnemonic == "lock";
    } while (is_prefix(line.mnemonic) && !part.empty());
    // Prefixes may be lines of their own; labels and directives are no instructions.
    if (line.mnemonic.empty() || is_prefix(line.mnemonic) || line.mnemonic.ends_with(":") || line.mnemonic[0] == '.')
      continue;
    line.locked = std::exchange(locked, false);
    lines.push_back(line);
  }
  return lines;
}

bool is_one_of(StringRef mnemonic, llvm::ArrayRef<const char*> names) {
  return llvm::any_of(names, [&](const char* name) { return mnemonic == name; });
}

// "xaddl" is xadd of four bytes. 0: no suffix, or not one of these.
unsigned size_by_suffix(StringRef mnemonic, StringRef base) {
  if (!mnemonic.consume_front(base) || mnemonic.size() != 1) return 0;
  const std::size_t at = StringRef("bwlq").find(mnemonic[0]);
  return at == StringRef::npos ? 0 : 1u << at;
}

bool is(StringRef mnemonic, StringRef base) { return mnemonic == base || size_by_suffix(mnemonic, base) != 0; }

unsigned size_of_access(StringRef mnemonic) {
  if (mnemonic == "cmpxchg8b") return 8;
  if (mnemonic == "cmpxchg16b") return 16;
  for (const char* base : {"mov", "xchg", "cmpxchg", "xadd", "add", "sub", "and", "or",  "xor", "inc",
                           "dec", "neg",  "not",     "bts",  "btr", "btc", "adc", "sbb", "cmp", "test"})
    if (const unsigned size = size_by_suffix(mnemonic, base)) return size;
  return 0;
}

bool is_on_the_stack(StringRef operands) { return operands.contains("(%rsp)") || operands.contains("(%esp)"); }

// Memory that no constraint names.
bool touches_other_memory(const Line& line) {
  if (is_one_of(line.mnemonic,
                {"syscall", "sysenter", "int", "call", "callq", "xlat", "xlatb", "xsave", "xrstor", "fxsave"}))
    return true;
  for (const char* base : {"movs", "stos", "lods", "scas", "cmps"})
    if (size_by_suffix(line.mnemonic, base) != 0 && line.operands.empty()) return true;
  if (line.mnemonic.starts_with("lea") || line.mnemonic.starts_with("nop") || line.mnemonic.starts_with("prefetch"))
    return false;
  return line.operands.contains('(') && !is_on_the_stack(line.operands);
}

bool is_nothing(const Line& line) {
  return is_one_of(line.mnemonic, {"nop", "pause"}) || line.mnemonic.starts_with("prefetch");
}

bool is_fence(const Line& line) {
  return is_one_of(line.mnemonic, {"mfence", "lfence", "sfence"}) || (line.locked && is_on_the_stack(line.operands));
}

// Differs from run to run.
bool is_uncontrolled(StringRef mnemonic) {
  return is_one_of(mnemonic, {"rdtsc", "rdtscp", "rdrand", "rdseed", "rdpmc", "rdpid"}) || is(mnemonic, "rdrand") ||
         is(mnemonic, "rdseed");
}

struct MemoryOperand {
  llvm::Value* address;
  std::uint64_t bytes;
  bool read = false, written = false;
};

llvm::SmallVector<MemoryOperand, 2> memory_operands(const llvm::CallBase& call) {
  llvm::SmallVector<MemoryOperand, 2> found;
  const auto& text = *llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  const llvm::DataLayout& layout = call.getModule()->getDataLayout();
  unsigned argument = 0;
  for (const llvm::InlineAsm::ConstraintInfo& constraint : text.ParseConstraints()) {
    if (!constraint.hasArg()) continue;
    const unsigned number = argument++;
    if (!constraint.isIndirect) continue;
    llvm::Value* address = call.getArgOperand(number);
    if (!may_be_shared(*address)) continue;
    auto* same = llvm::find_if(found, [&](const MemoryOperand& o) { return o.address == address; });
    if (same == found.end()) {
      found.push_back({address, layout.getTypeStoreSize(call.getParamElementType(number)).getFixedValue()});
      same = &found.back();
    }
    (constraint.Type == llvm::InlineAsm::isOutput ? same->written : same->read) = true;
  }
  return found;
}

// Outputs in eax and edx, or rax and rdx, of a text that is one rdtsc.
bool replace_clock(Callbacks& callbacks, llvm::CallBase& call, const Line& line) {
  auto* type = llvm::dyn_cast<llvm::StructType>(call.getType());
  const auto& text = *llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  if (!is_one_of(line.mnemonic, {"rdtsc", "rdtscp"}) || !type || !llvm::isa<llvm::CallInst>(call)) return false;
  llvm::IRBuilder<> at(&call);
  llvm::Value* now = callbacks.clock(at);
  llvm::Value* result = llvm::PoisonValue::get(type);
  unsigned element = 0;
  for (const llvm::InlineAsm::ConstraintInfo& constraint : text.ParseConstraints()) {
    if (constraint.Type != llvm::InlineAsm::isOutput) continue;
    if (constraint.isIndirect || constraint.Codes.size() != 1 || element == type->getNumElements() ||
        !type->getElementType(element)->isIntegerTy())
      return false;
    const StringRef where = constraint.Codes[0];
    llvm::Value* part = where == "{ax}"   ? at.CreateAnd(now, 0xffffffffu)
                        : where == "{dx}" ? at.CreateLShr(now, 32)
                                          : at.getInt64(0);  // which processor it is
    result = at.CreateInsertValue(result, at.CreateZExtOrTrunc(part, type->getElementType(element)), element);
    ++element;
  }
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
  return true;
}

AssemblyAccess kind_of(const MemoryOperand& operand, bool atomic) {
  if (atomic || (operand.read && operand.written)) return AssemblyAccess::kUpdate;
  return operand.written ? AssemblyAccess::kWrite : AssemblyAccess::kRead;
}

// One operand, accessed by an instruction that is indivisible.
void make_step(Callbacks& callbacks, llvm::CallBase& call, const MemoryOperand& operand, AssemblyAccess kind) {
  llvm::IRBuilder<> at(&call);
  llvm::Value* bytes = at.getInt64(operand.bytes);
  llvm::Value* number = at.getInt32(static_cast<std::uint32_t>(kind));
  const bool returns_here = llvm::isa<llvm::CallInst>(call);
  callbacks.assembly(at, returns_here ? "before" : "access", {operand.address, bytes, number});
  if (!returns_here) return;
  at.SetInsertPoint(call.getNextNode());
  at.SetCurrentDebugLocation(call.getDebugLoc());
  callbacks.assembly(at, "after", {operand.address, bytes});
}

}  // namespace

void instrument_assembly(Callbacks& callbacks, llvm::CallBase& call) {
  const std::string text = first_variant(llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->getAsmString());
  llvm::SmallVector<Line, 4> lines = lines_of(text);
  llvm::erase_if(lines, is_nothing);
  if (lines.empty()) return;
  if (lines.size() == 1 && replace_clock(callbacks, call, lines[0])) return;
  llvm::IRBuilder<> at(&call);
  const Line* accesses = nullptr;  // the instruction that the operands in memory are of, as far as can be told
  bool atomic = false;
  for (const Line& line : lines) {
    if (is_fence(line))
      callbacks.fence(at, true, at.getInt32(5));
    else if (is_uncontrolled(line.mnemonic))
      callbacks.unmodelled(at, "an instruction that differs from run to run", line.mnemonic);
    else if (touches_other_memory(line))
      callbacks.unmodelled_access(at, "assembly accesses memory that is not looked at", line.mnemonic);
    const bool indivisible = line.locked || is(line.mnemonic, "xchg");
    if (accesses == nullptr || (indivisible && !atomic)) accesses = &line;
    atomic = atomic || indivisible;
  }
  llvm::SmallVector<MemoryOperand, 2> operands = memory_operands(call);
  if (operands.empty()) return;
  if (const unsigned size = size_of_access(accesses->mnemonic))
    for (MemoryOperand& operand : operands) operand.bytes = std::min<std::uint64_t>(operand.bytes, size);
  const bool is_move = lines.size() == 1 && is(accesses->mnemonic, "mov");
  if (operands.size() == 1 && (atomic || is_move))
    return make_step(callbacks, call, operands[0], kind_of(operands[0], atomic));
  for (const MemoryOperand& operand : operands) {
    if (operand.read || atomic) callbacks.access(at, AccessKind::kRead, operand.address, operand.bytes, llvm::Align(1));
    if (operand.written || atomic)
      callbacks.access(at, AccessKind::kWrite, operand.address, operand.bytes, llvm::Align(1));
    if ((operand.read && operand.written) || atomic || operands.size() > 1)
      callbacks.unmodelled_access(at, "assembly accesses memory more than once, which is taken as one step",
                                  accesses->mnemonic);
  }
}

bool replace_uncontrolled_intrinsic(Callbacks& callbacks, llvm::IntrinsicInst& call) {
  llvm::IRBuilder<> at(&call);
  llvm::Value* value = nullptr;
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::x86_rdtsc:
    case llvm::Intrinsic::readcyclecounter:
      value = callbacks.clock(at);
      break;
    case llvm::Intrinsic::x86_rdtscp:  // the time, and which processor it is
      value = at.CreateInsertValue(llvm::PoisonValue::get(call.getType()), callbacks.clock(at), 0);
      value = at.CreateInsertValue(value, at.getInt32(0), 1);
      break;
    case llvm::Intrinsic::x86_rdrand_16:
    case llvm::Intrinsic::x86_rdrand_32:
    case llvm::Intrinsic::x86_rdrand_64:
    case llvm::Intrinsic::x86_rdseed_16:
    case llvm::Intrinsic::x86_rdseed_32:
    case llvm::Intrinsic::x86_rdseed_64: {
      auto* type = llvm::cast<llvm::StructType>(call.getType());
      llvm::Value* number = at.CreateZExtOrTrunc(callbacks.random_number(at), type->getElementType(0));
      value = at.CreateInsertValue(llvm::PoisonValue::get(type), number, 0);
      value = at.CreateInsertValue(value, at.getInt32(1), 1);
      break;
    }
    default:
      return false;
  }
  call.replaceAllUsesWith(value);
  call.eraseFromParent();
  return true;
}

}  // namespace heddle::pass
