// A compiled model: flat register code and tables, immutable while it runs.
//
// Each call has a window of 32-bit registers: parameters first, then locals, then temporaries. Arguments are
// laid out where the callee's window will begin, and its result is left in the window's first register.
// Objects (shared cells, locks, condition variables) are named by their ObjectId, which is an ordinary
// register value: an array element costs one checked addition and no instruction needs an addressing mode.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/strong_id.h"
#include "model/operators.h"
#include "model/source.h"
#include "trace/memory_order.h"

namespace heddle::model {

// r[x] is register x of the current window.
enum class Op : std::uint8_t {
  // The arithmetic operators come first, in the order of Operator: r[a] = r[b] op r[c].
  kAdd,
  kSub,
  kMul,
  kDiv,
  kMod,
  kShiftLeft,
  kShiftRight,
  kBitAnd,
  kBitOr,
  kBitXor,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kNegate,
  kNot,
  kComplement,

  kConst,       // r[a] = value
  kMove,        // r[a] = r[b]
  kElement,     // r[a] = object of element r[b] of variable number `value`; may fail. c = 1: the next instruction reads
                // it, and that is all
  kJump,        // to `value`
  kJumpIfZero,  // if r[a] == 0
  kJumpIfNot,   // if r[a] != 0
  kTurn,        // a loop begins a turn; its state is in the registers below a, its code ends before `value`
  kCall,        // function number `value`, its window begins at r[a]
  kReturn,      // r[0] = r[b]; from the outermost call: the thread ends
  kInput,       // r[a] = next input
  kAssert,      // r[a] != 0, or fail with message number `value`
  kError,       // fail with message number `value`
  kAssume,      // r[a] != 0, or the execution is not feasible
  kPark,        // until woken from condition variable r[b]

  // Visible operations, on the object r[b].
  kLoad,      // r[a] = it
  kStore,     // it = r[a]
  kCas,       // if it == r[c], it = r[value]; r[a] = whether it did
  kFetchAdd,  // r[a] = it; it += r[c]
  kExchange,  // r[a] = it; it = r[c]
  kFence,     // of memory; no object
  kLock,
  kUnlock,
  kWaitUnlock,  // the unlock inside a wait
  kTryLock,     // r[a] = whether it was taken
  kWait,        // register as waiter; r[c] is the lock, released next
  kSignal,
  kBroadcast,
  kSpawn,     // function number `value` with c arguments from r[a] on; r[a] = the new thread
  kJoin,      // thread r[a]
  kChoose,    // r[a] = a number from 0 to r[b]-1
  kSpurious,  // r[a] = whether a wait with the lock r[b] returns at once; not visible if the thread has had that often
              // enough
};
static_assert(static_cast<int>(Op::kConst) == kOperators);
constexpr bool is_visible(Op op) { return op >= Op::kLoad; }
constexpr bool has_order(Op op) { return op >= Op::kLoad && op <= Op::kFence; }

struct Instruction {
  Op op = Op::kConst;
  trace::MemoryOrder order = trace::MemoryOrder::kSeqCst;    // of memory operations and fences
  trace::MemoryOrder failure = trace::MemoryOrder::kSeqCst;  // kCas: if it does not swap
  // Of a fence that is tried before it, though the model does not have it (ModelProgram::give_orders).
  trace::MemoryOrder fence = trace::MemoryOrder::kRelaxed;
  std::uint16_t a = 0;
  std::uint16_t b = 0;
  std::uint16_t c = 0;
  std::int32_t value = 0;
};

enum class ObjectKind : std::uint8_t { kMemory, kLock, kCond };

struct Variable {
  std::string name;
  ObjectKind kind = ObjectKind::kMemory;
  std::uint32_t first = 0;  // its first object
  std::uint32_t count = 1;
  bool array = false;
  bool compared = false;  // by some compare-and-swap
};

struct Function {
  std::string name;
  std::uint32_t entry = 0;
  std::uint32_t parameters = 0;
  std::uint32_t registers = 0;
};

// A thread that exists from the start.
struct StaticThread {
  std::uint32_t function = 0;
  std::int32_t replica = 0;
  bool replicated = false;
};

// What the model says about its global states, and names for parts of its text.
struct InvariantText {
  Offset at = 0;
  std::string text;
};
struct NamedText {
  std::string name;
  Offset first = 0, last = 0;
};

struct Code {
  std::vector<Instruction> instructions;
  std::vector<Offset> places;  // of each instruction
  std::vector<Function> functions;
  std::vector<StaticThread> threads;
  std::vector<Variable> variables;    // by first object
  std::vector<std::int32_t> initial;  // value of each object; locks: kNoOwner
  std::vector<std::uint32_t> slots;   // number of a lock or condition variable among its kind
  std::uint32_t locks = 0;
  std::uint32_t conds = 0;
  std::vector<std::string> messages;
  std::map<std::string, std::int32_t> constants;
  std::vector<InvariantText> invariants;
  std::vector<NamedText> labels;
  bool spawns = false;
  bool reads_inputs = false;

  // The last variable that begins at or before it; empty arrays begin where their successor does.
  const Variable& variable_of(ObjectId object) const {
    const auto after = std::upper_bound(variables.begin(), variables.end(), object.value,
                                        [](std::uint32_t o, const Variable& v) { return o < v.first; });
    return *std::prev(after);
  }
  ObjectKind kind_of(ObjectId object) const { return variable_of(object).kind; }
};

inline constexpr std::int32_t kNoOwner = -1;
// A value as steps carry it: sign-extended, so that reports show negative values as such.
inline std::uint64_t bits(std::int32_t v) { return static_cast<std::uint64_t>(std::int64_t{v}); }

}  // namespace heddle::model
