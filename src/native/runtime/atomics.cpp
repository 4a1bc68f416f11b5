// Atomic operations of instrumented code: the atomic half of the ThreadSanitizer interface. Every one is a visible
// operation, whatever its memory order. Exploration is of sequentially consistent interleavings, where the order only
// decides what happens before what for the race detector, or of a memory model's graphs (weak_memory.h).
//
// They are entered through a stub that notes the program's registers (spinning.h, known_steps.h).
#include <stdint.h>

#include <type_traits>

#include "native/runtime/assumptions.h"
#include "native/runtime/atomic_sections.h"
#include "native/runtime/happens_before.h"
#include "native/runtime/object_state.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"
#include "native/runtime/spurious.h"
#include "trace/compare_exchange.h"

using namespace heddle;
using namespace heddle::runtime;

extern "C" {
// Read by code that the pass has made, after a weak exchange: it failed though it found what it expected.
std::uint8_t heddle_exchange_failed = 0;
}

namespace {

using u128 = unsigned __int128;

// Memory orders are constants of the call, but need not be.
std::uint64_t with_order(std::uint64_t value, int order) { return combine(value, static_cast<std::uint64_t>(order)); }

template <class T>
ObjectId memory(const volatile T* a) {
  return objects.at(a, sizeof(T), protocol::ObjectKind::kMemory);
}

// A bad address crashes here, as the program's own access, and not in the middle of scheduling.
template <class T>
void probe(const volatile T* a) {
  static_cast<void>(*a);
}

template <class T>
void access_in_section(const volatile T* a, bool write, const void* pc) {
  section_access(reinterpret_cast<std::uintptr_t>(a), sizeof(T), write, pc);
}

void pass_fence(int order, const void* pc) {
  if (rt.weak) {
    VisibleOperation op(OpKind::kFence, kNoObject, where_of(pc));
    order = op.with_order(order);
    op.await();
    op.performed();
  }
  EngineScope scope;
  clocks.fence(order);
}

// One that the program does not have (weak_memory.h).
void pass_tried_fence(const void* pc) {
  if (!rt.weak || !weak_memory.has_fences()) [[likely]]
    return;
  if (const auto order = weak_memory.fence_at(where_of(pc))) pass_fence(number_of(*order), pc);
}

template <class T>
T load(const volatile T* a, int asked, const void* pc) {
  if (!controlled()) return *a;
  if (in_section()) [[unlikely]] {
    access_in_section(a, false, pc);
    return *a;
  }
  probe(a);
  const ObjectId object = memory(a);
  note_order(asked, pc, object);
  pass_tried_fence(pc);
  VisibleOperation op(OpKind::kRead, object, where_of(pc));
  const int order = op.with_order(asked);
  op.depends_on(static_cast<std::uint64_t>(order));
  op.await();
  const T value = *a;
  op.op().before = op.op().after = as_value(value);
  if (rt.races_checked) {
    const std::uint32_t epoch = clocks.epoch(rt.current);
    clocks.load(op.op().object, order);
    atomic_access(a, sizeof(T), false, epoch, op.step().where);
  }
  op.performed();
  check_heap_access(a, sizeof(T), false, pc);
  return value;
}

template <class T>
void store(volatile T* a, T value, int asked, const void* pc) {
  if (!controlled()) {
    *a = value;
    return;
  }
  if (in_section()) [[unlikely]] {
    access_in_section(a, true, pc);
    *a = value;
    return;
  }
  probe(a);
  const ObjectId object = memory(a);
  note_order(asked, pc, object);
  pass_tried_fence(pc);
  VisibleOperation op(OpKind::kWrite, object, where_of(pc));
  const int order = op.with_order(asked);
  op.depends_on(with_order(as_value(value), order));
  if (rt.self().hurried != 0) [[unlikely]]
    op.leaves_all_as_it_is(*a == value);
  op.await();
  op.op().before = as_value(T(*a));
  op.op().after = as_value(value);
  *a = value;
  if (rt.races_checked) {
    const std::uint32_t epoch = clocks.epoch(rt.current);
    clocks.store(op.op().object, order);
    atomic_access(a, sizeof(T), true, epoch, op.step().where);
  }
  op.performed();
  check_heap_access(a, sizeof(T), true, pc);
}

template <class T, class F>
T update(volatile T* a, T operand, int asked, const void* pc, F&& next) {
  if (!controlled() || in_section()) {
    if (controlled()) access_in_section(a, true, pc);
    const T found = *a;
    *a = next(found);
    return found;
  }
  probe(a);
  const ObjectId object = memory(a);
  note_order(asked, pc, object);
  pass_tried_fence(pc);
  VisibleOperation op(OpKind::kUpdate, object, where_of(pc));
  const int order = op.with_order(asked);
  op.depends_on(with_order(as_value(operand), order));
  if (rt.self().hurried != 0) [[unlikely]]
    op.leaves_all_as_it_is(next(*a) == *a);
  op.await();
  const T found = *a;
  const T left = next(found);
  *a = left;
  op.op().before = as_value(found);
  op.op().after = as_value(left);
  if (rt.races_checked) {
    const std::uint32_t epoch = clocks.epoch(rt.current);
    clocks.update(op.op().object, order);
    atomic_access(a, sizeof(T), true, epoch, op.step().where);
  }
  op.performed();
  check_heap_access(a, sizeof(T), true, pc);
  return found;
}

struct Orders {
  int success, failure;
};

constexpr int kWeak = 0x100;  // in the order of failure, from the pass

// A weak exchange may fail though it finds what it expects (spurious.h).
bool fails_for_no_reason(std::uint64_t operands, const void* pc) {
  if (rt.weak && rt.threads > 1) note_assumption(trace::AssumptionKind::kNoSpuriousWakeUps, pc, kExchangesFail);
  if (rt.spurious == 0 || rt.threads < 2) return false;
  constexpr std::size_t kFramePointer = 1;  // among the registers
  const std::uint64_t frame = heddle_calling_frame.registers[kFramePointer];
  return wakes_spuriously({pc, &frame, operands}, Spontaneous::kExchange);
}

// `place`: where the program gets what was found, if by reference.
template <class T>
T compare_exchange(volatile T* a, T expected, T value, Orders orders, const void* place, const void* pc) {
  const int order = orders.success, failure_order = orders.failure;
  if (!controlled() || in_section()) {
    if (controlled()) access_in_section(a, true, pc);
    const T found = *a;
    if (found == expected) *a = value;
    return found;
  }
  heddle_exchange_failed = 0;
  if ((failure_order & kWeak) != 0 &&
      fails_for_no_reason(combine(combine(reinterpret_cast<std::uint64_t>(a), as_value(expected)), as_value(value)),
                          pc)) {
    const T found = load(a, failure_order & ~kWeak, pc);
    heddle_exchange_failed = 1;
    return found;
  }
  probe(a);
  const ObjectId object = memory(a);
  note_order(order == __ATOMIC_SEQ_CST ? failure_order & ~kWeak : order, pc, object);
  pass_tried_fence(pc);
  // Among accesses of different sizes the engine cannot tell from the values it sees whether the exchange would
  // succeed elsewhere; an update depends on all of them, whatever comes of it.
  const bool mixed = objects.mixed(object);
  VisibleOperation op(mixed ? OpKind::kUpdate : OpKind::kCas, object, where_of(pc));
  op.op().after = as_value(expected);  // while undecided: what it expects
  op.with_order(failure_order & ~kWeak, true);
  const trace::MemoryOrder given_to_failure = op.op().order;
  const int given = op.with_order(order);
  if (rt.weak) trace::set_other_order(op.step(), given_to_failure);
  op.depends_on(with_order(with_order(as_value(value), order), failure_order) ^ reinterpret_cast<std::uint64_t>(place));
  op.await();
  const T found = *a;
  op.op().before = as_value(found);
  if (found == expected) {
    *a = value;
    op.op().after = as_value(value);
    if (rt.races_checked) {
      const std::uint32_t epoch = clocks.epoch(rt.current);
      clocks.update(op.op().object, given);
      atomic_access(a, sizeof(T), true, epoch, op.step().where);
    }
  } else {
    if (!mixed) op.op().kind = OpKind::kCasFailed;
    op.op().after = mixed ? op.op().before : as_value(expected);
    if (rt.weak) trace::set_other_order(op.step(), op.op().order);
    op.op().order = given_to_failure;
    if (rt.races_checked) {
      const std::uint32_t epoch = clocks.epoch(rt.current);
      clocks.load(op.op().object, rt.weak ? number_of(given_to_failure) : failure_order & ~kWeak);
      atomic_access(a, sizeof(T), false, epoch, op.step().where);
    }
  }
  op.performed();
  check_heap_access(a, sizeof(T), true, pc);
  return found;
}

}  // namespace

#define PC __builtin_return_address(0)

#define DEFINE_ATOMICS(bits, T)                                                                           \
  T tsan_atomic##bits##_load(const volatile T* a, int order) { return load(a, order, PC); }               \
  void tsan_atomic##bits##_store(volatile T* a, T v, int order) { store(a, v, order, PC); }               \
  T tsan_atomic##bits##_exchange(volatile T* a, T v, int order) {                                         \
    return update(a, v, order, PC, [=](T) { return v; });                                                 \
  }                                                                                                       \
  T tsan_atomic##bits##_fetch_add(volatile T* a, T v, int order) {                                        \
    return update(a, v, order, PC, [=](T x) { return static_cast<T>(x + v); });                           \
  }                                                                                                       \
  T tsan_atomic##bits##_fetch_sub(volatile T* a, T v, int order) {                                        \
    return update(a, v, order, PC, [=](T x) { return static_cast<T>(x - v); });                           \
  }                                                                                                       \
  T tsan_atomic##bits##_fetch_and(volatile T* a, T v, int order) {                                        \
    return update(a, v, order, PC, [=](T x) { return static_cast<T>(x & v); });                           \
  }                                                                                                       \
  T tsan_atomic##bits##_fetch_or(volatile T* a, T v, int order) {                                         \
    return update(a, v, order, PC, [=](T x) { return static_cast<T>(x | v); });                           \
  }                                                                                                       \
  T tsan_atomic##bits##_fetch_xor(volatile T* a, T v, int order) {                                        \
    return update(a, v, order, PC, [=](T x) { return static_cast<T>(x ^ v); });                           \
  }                                                                                                       \
  T tsan_atomic##bits##_fetch_nand(volatile T* a, T v, int order) {                                       \
    return update(a, v, order, PC, [=](T x) { return static_cast<T>(~(x & v)); });                        \
  }                                                                                                       \
  int tsan_atomic##bits##_compare_exchange_strong(volatile T* a, T* expected, T v, int order, int fail) { \
    const T wanted = *expected;                                                                           \
    const T found = compare_exchange(a, wanted, v, {order, fail}, expected, PC);                          \
    if (found == wanted) return 1;                                                                        \
    *expected = found;                                                                                    \
    return 0;                                                                                             \
  }                                                                                                       \
  int tsan_atomic##bits##_compare_exchange_weak(volatile T* a, T* expected, T v, int order, int fail) {   \
    const T wanted = *expected;                                                                           \
    const T found = compare_exchange(a, wanted, v, {order, fail | kWeak}, expected, PC);                  \
    if (found == wanted && heddle_exchange_failed == 0) return 1;                                         \
    *expected = found;                                                                                    \
    return 0;                                                                                             \
  }                                                                                                       \
  T tsan_atomic##bits##_compare_exchange_val(volatile T* a, T expected, T v, int order, int fail) {       \
    return compare_exchange(a, expected, v, {order, fail}, nullptr, PC);                                  \
  }

#define DEFINE_ENTRIES(bits)                                   \
  NOTING_ENTRY("tsan_atomic" #bits "_load")                    \
  NOTING_ENTRY("tsan_atomic" #bits "_store")                   \
  NOTING_ENTRY("tsan_atomic" #bits "_exchange")                \
  NOTING_ENTRY("tsan_atomic" #bits "_fetch_add")               \
  NOTING_ENTRY("tsan_atomic" #bits "_fetch_sub")               \
  NOTING_ENTRY("tsan_atomic" #bits "_fetch_and")               \
  NOTING_ENTRY("tsan_atomic" #bits "_fetch_or")                \
  NOTING_ENTRY("tsan_atomic" #bits "_fetch_xor")               \
  NOTING_ENTRY("tsan_atomic" #bits "_fetch_nand")              \
  NOTING_ENTRY("tsan_atomic" #bits "_compare_exchange_strong") \
  NOTING_ENTRY("tsan_atomic" #bits "_compare_exchange_weak")   \
  NOTING_ENTRY("tsan_atomic" #bits "_compare_exchange_val")

extern "C" {
DEFINE_ATOMICS(8, std::uint8_t)
DEFINE_ATOMICS(16, std::uint16_t)
DEFINE_ATOMICS(32, std::uint32_t)
DEFINE_ATOMICS(64, std::uint64_t)
DEFINE_ATOMICS(128, u128)

DEFINE_ENTRIES(8)
DEFINE_ENTRIES(16)
DEFINE_ENTRIES(32)
DEFINE_ENTRIES(64)
DEFINE_ENTRIES(128)

// Under sequential consistency a fence is nothing to interleave; it orders plain accesses.
void __tsan_atomic_thread_fence(int order) {
  if (!controlled() || !rt.races_checked) return;
  pass_fence(order, PC);
}
void __tsan_atomic_signal_fence(int) {}
}
