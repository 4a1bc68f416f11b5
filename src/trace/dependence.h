// Which operations commute. Two steps are independent when executing them in either order leads to the same
// state and neither enables or disables the other; executions that differ only in the order of adjacent
// independent steps are one class (Mazurkiewicz trace).
//
// Within one object the relation is a table over pairs of kinds, computed at compile time from the rows of the kinds
// (trace/kinds.h); pairs that are special are listed here, once each. Across objects steps are dependent only through
// their threads: same thread, spawn and join, and waking.
#pragma once

#include <array>

#include "trace/operation.h"

namespace heddle::trace {

struct PairTable {
  using Row = std::array<bool, kOpKinds>;
  std::array<Row, kOpKinds> dependent{};   // on one object
  std::array<Row, kOpKinds> co_enabled{};  // on one object, from two threads
};

// Two threads are never both about to do these on one object: a release needs the lock held by its own thread, a
// blocking acquire needs it free, and it is one thread's turn.
struct Pair {
  OpKind a, b;
};
inline constexpr Pair kNeverTogether[] = {
    {OpKind::kRelease, OpKind::kAcquire},         {OpKind::kRelease, OpKind::kSharedAcquire},
    {OpKind::kRelease, OpKind::kRelease},         {OpKind::kRelease, OpKind::kWaitRelease},
    {OpKind::kWaitRelease, OpKind::kAcquire},     {OpKind::kWaitRelease, OpKind::kSharedAcquire},
    {OpKind::kWaitRelease, OpKind::kWaitRelease}, {OpKind::kArriveInTurn, OpKind::kArriveInTurn},
};

consteval PairTable make_pair_table() {
  PairTable table;
  for (const KindRow& a : kKindRows) {
    for (const KindRow& b : kKindRows) {
      const int i = static_cast<int>(a.kind), j = static_cast<int>(b.kind);
      table.dependent[i][j] = a.access != Access::kNone && b.access != Access::kNone &&
                              (a.access == Access::kWrites || b.access == Access::kWrites);
      table.co_enabled[i][j] = true;
    }
  }
  for (const Pair& pair : kNeverTogether) {
    const int i = static_cast<int>(pair.a), j = static_cast<int>(pair.b);
    if (!table.co_enabled[i][j]) throw "a pair of operation kinds is listed twice";
    table.co_enabled[i][j] = table.co_enabled[j][i] = false;
  }
  return table;
}

inline constexpr PairTable kPairTable = make_pair_table();

constexpr bool dependent_on_one_object(OpKind a, OpKind b) {
  return kPairTable.dependent[static_cast<int>(a)][static_cast<int>(b)];
}
constexpr bool may_be_co_enabled(OpKind a, OpKind b) {
  return kPairTable.co_enabled[static_cast<int>(a)][static_cast<int>(b)];
}

namespace detail {
inline bool touches_thread(const Step& a, const Step& b) {
  switch (row_of(a.op.kind).subject) {
    case Subject::kProcess:
      return true;
    case Subject::kThread:
      return a.op.peer == b.thread;
    case Subject::kMemory:
    case Subject::kLock:
    case Subject::kQueue:
    case Subject::kCount:
    case Subject::kContent:
    case Subject::kBarrier:
    case Subject::kNothing:
      return woken_by(a).contains(b.thread) && b.op.kind != OpKind::kWaitRelease;
  }
  return false;
}
}  // namespace detail

inline bool dependent(const Step& a, const Step& b) {
  if (a.thread == b.thread) return true;
  if (a.op.object == b.op.object && a.op.object != kNoObject && dependent_on_one_object(a.op.kind, b.op.kind))
    return true;
  // Plain accesses, by far the most frequent, cannot touch a thread.
  if (!touches_threads(a.op.kind) && !touches_threads(b.op.kind)) return false;
  return detail::touches_thread(a, b) || detail::touches_thread(b, a);
}

}  // namespace heddle::trace
