// Litmus tests: a few threads of a few accesses with memory orders, without loops, for the oracle of memory models
// (memory_axioms.h). They are written as in the literature, shared locations in brackets:
//
//   [x] =_rel 1; a =_acq [y]  ||  [y] =_rel 1; b =_acq [x]
//
//   [x] =_O v      store; v is a number, a register, or register + number      O: na rlx acq rel ar sc, or nothing: rlx
//   a =_O [x]      load
//   a = add_O([x], v)    a = xchg_O([x], v)    a = cas_O([x], e, d)            the old value; cas: whether it swapped
//   a = cas_O/P([x], e, d)                                                     P if it does not swap; else what is left
//   of O fence_O if a == k next n     the next n statements only if so assume a == k        otherwise the execution
//   does not count lock [m]; unlock [m]; a = try [m] join n               waits for the end of thread n, counted from 0
//   a = choose k         a number below k
//
// Every location and register is 0 at first. An `if` may stand among the statements of another one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "trace/memory_order.h"

namespace heddle::check {

enum class LitmusKind : std::uint8_t {
  kLoad,
  kStore,
  kAdd,
  kExchange,
  kCas,
  kFence,
  kIf,
  kAssume,
  kLock,
  kUnlock,
  kTryLock,
  kJoin,
  kChoose,
};

// A register plus a number; without a register the number.
struct LitmusValue {
  int reg = -1;
  int add = 0;
};

struct LitmusStmt {
  LitmusKind kind = LitmusKind::kLoad;
  trace::MemoryOrder order = trace::MemoryOrder::kRelaxed;
  trace::MemoryOrder failure = trace::MemoryOrder::kRelaxed;  // cas: if it does not swap
  int location = -1;
  int reg = -1;         // that takes the value, or is compared
  LitmusValue value{};  // stored, added, swapped in
  int number = 0;       // cas: expected; if, assume: compared with; join: thread; choose: how many
  int next = 0;         // if: so many statements
};

struct Litmus {
  std::vector<std::string> locations, registers;
  std::vector<std::vector<LitmusStmt>> threads;
};

Result<Litmus> parse_litmus(std::string_view text);
std::string to_text(const Litmus& litmus);
// The same program in the model language.
std::string to_source(const Litmus& litmus);

}  // namespace heddle::check
