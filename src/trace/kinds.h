// The kinds of visible operations, and all there is to know about each: one row a kind. Everything else in Heddle that
// has to tell kinds apart asks the table, by name of the property. So a new primitive is one row here, and what it does
// to its object is said once, in trace/object.h.
//
// A kind is what an operation is recorded as, *as it happened*: a compare-and-swap that failed is a read, one that
// succeeded a write, and likewise try-lock. That is what makes independence exact, and with it "each class once".
#pragma once

#include <array>
#include <cstdint>

#include "trace/memory_order.h"

namespace heddle::trace {

enum class OpKind : std::uint8_t {
  kRead,
  kWrite,
  kUpdate,     // read-modify-write that always writes: fetch-add, exchange
  kCas,        // compare-and-swap that swapped
  kCasFailed,  // ... that did not: a read
  kAcquire,    // blocks while the lock is held
  kRelease,
  kTryAcquire,     // try-lock that got the lock
  kTryFailed,      // ... that did not: a read
  kSharedAcquire,  // reader side of a reader-writer lock
  kSharedRelease,
  kSharedTry,        // a try that got it
  kSharedTryFailed,  // ... that did not, because of a writer: a read
  kWaitRelease,      // the release of the mutex inside a wait: follows the thread's kWait
  kWait,             // register as a waiter of a condition variable
  kTimeout,          // a waiter leaves by itself
  kSleep,            // compares a word and registers as a waiter of it, all at once (futex): no mutex is involved
  kSleepRefused,     // ... that found another value: a read
  kSignal,           // wakes the waiter named by the step's choice, or nobody if there is none
  kBroadcast,        // wakes the step's set
  kSemWait,          // blocks while the count is 0
  kSemTry,           // a try that succeeded
  kSemTryFailed,     // ... that did not: a read
  kSemPost,
  kReceive,       // takes some of what a pipe holds; blocks while it holds nothing
  kSend,          // puts more into it
  kArrive,        // at a barrier; the last one wakes the step's set
  kArriveInTurn,  // ... where nobody can tell in which order, so that one order is enough; blocks until it is its turn
  kSpawn,         // starts `peer`
  kJoin,          // blocks until `peer` has ended
  kChoose,        // picks one of the step's set; no object
  kBranch,        // on a value that depends on inputs: the step's set are the outcomes that inputs can bring about
  kAssume,        // likewise, but 1 whenever that is possible, and 0 ends the thread: nobody asked for such inputs
  kFence,         // of memory: nothing under sequential consistency
  kTerminate,     // ends the process: dependent with everything
};
inline constexpr int kOpKinds = static_cast<int>(OpKind::kTerminate) + 1;

// What it is done to.
enum class Subject : std::uint8_t {
  kMemory,
  kLock,
  kQueue,    // of threads that wait to be woken: a condition variable, a word that threads sleep on
  kCount,    // a semaphore
  kContent,  // of a pipe: bytes in an order, of which an operation takes or adds as many as it happens to
  kBarrier,
  kThread,
  kNothing,  // that others know of
  kProcess,
};

// How it touches its object. Lock, semaphore, barrier and condition-variable operations count as writes: their order on
// one object is always observable. (Readers of a reader-writer lock would commute; keeping them ordered is sound and
// keeps every such object's history a total order.)
enum class Access : std::uint8_t { kNone, kReads, kWrites };

// May it find itself disabled, and is it one of several outcomes?
enum class Waiting : std::uint8_t { kNever, kBlocks };
enum class Outcomes : std::uint8_t { kOne, kPicked };  // by the scheduler, among alternatives

// What it does to a lock or a count.
enum class Holding : std::uint8_t { kNothing, kTakes, kGives };

// Is it what a thread does that has something to give: does it change what others see? A thread that looks or waits for
// something to do loses nothing when the process ends.
enum class Gift : std::uint8_t { kNone, kGives };

// Whose next event happens after it because it woke or started them.
enum class Wakes : std::uint8_t { kNobody, kPicked, kSet, kPeer };

// What it leaves behind, for turns of waiting loops (trace/turn.h).
enum class Leaves : std::uint8_t {
  kNothing,  // that is of interest to anybody else
  kLook,
  kValue,      // kLook if it leaves the value that it found, else kTransient
  kTransient,  // may be undone
  kChoice,     // kNothing if nothing out of the ordinary was chosen, else kLasting
  kLasting,
};

struct KindRow {
  OpKind kind;
  const char* name;  // in traces, JSON and schedules
  const char* verb;  // for people: "T1 reads x"
  Subject subject;
  Access access;
  Waiting waiting;
  Outcomes outcomes;
  Holding holding;
  Gift gift;
  Wakes wakes;
  Leaves leaves;
  OpKind attempt;     // what it was before it was decided: a failed compare-and-swap might have swapped
  MemoryOrder order;  // of operations that come without one: what they mean to memory
};

namespace detail {

consteval std::array<KindRow, kOpKinds> make_kind_rows() {
  using enum OpKind;
  using enum Subject;
  using enum Access;
  constexpr auto never = Waiting::kNever, blocks = Waiting::kBlocks;
  constexpr auto one = Outcomes::kOne, picked = Outcomes::kPicked;
  constexpr auto none = Holding::kNothing, takes = Holding::kTakes, gives = Holding::kGives;
  constexpr auto no_gift = Gift::kNone, gift = Gift::kGives;
  constexpr auto nobody = Wakes::kNobody;
  using L = Leaves;
  using M = MemoryOrder;
  // clang-format off
  return {{
      {kRead, "read", "reads", kMemory, kReads, never, one, none, no_gift, nobody, L::kLook, kRead, M::kSeqCst},
      {kWrite, "write", "writes", kMemory, kWrites, never, one, none, gift, nobody, L::kValue, kWrite, M::kSeqCst},
      {kUpdate, "update", "updates", kMemory, kWrites, never, one, none, gift, nobody, L::kValue, kUpdate, M::kSeqCst},
      {kCas, "cas", "swaps", kMemory, kWrites, never, one, none, gift, nobody, L::kValue, kCas, M::kSeqCst},
      {kCasFailed, "cas-failed", "fails to swap", kMemory, kReads, never, one, none, no_gift, nobody, L::kLook, kCas, M::kSeqCst},
      {kAcquire, "lock", "locks", kLock, kWrites, blocks, one, takes, no_gift, nobody, L::kTransient, kAcquire, M::kAcquire},
      {kRelease, "unlock", "unlocks", kLock, kWrites, never, one, gives, gift, nobody, L::kTransient, kRelease, M::kRelease},
      {kTryAcquire, "try-lock", "try-locks", kLock, kWrites, never, one, takes, no_gift, nobody, L::kTransient, kTryAcquire, M::kAcquire},
      {kTryFailed, "try-lock-failed", "fails to lock", kLock, kReads, never, one, none, no_gift, nobody, L::kLook, kTryAcquire, M::kRelaxed},
      {kSharedAcquire, "shared-lock", "share-locks", kLock, kWrites, blocks, one, takes, no_gift, nobody, L::kTransient, kSharedAcquire, M::kAcquire},
      {kSharedRelease, "shared-unlock", "share-unlocks", kLock, kWrites, never, one, gives, gift, nobody, L::kTransient, kSharedRelease, M::kRelease},
      {kSharedTry, "try-shared-lock", "try-share-locks", kLock, kWrites, never, one, takes, no_gift, nobody, L::kTransient, kSharedTry, M::kAcquire},
      {kSharedTryFailed, "try-shared-lock-failed", "fails to share-lock", kLock, kReads, never, one, none, no_gift, nobody, L::kLook, kSharedTry, M::kRelaxed},
      {kWaitRelease, "wait-unlock", "unlocks (to wait)", kLock, kWrites, never, one, gives, no_gift, nobody, L::kTransient, kWaitRelease, M::kRelease},
      {kWait, "wait", "waits on", kQueue, kWrites, never, one, none, no_gift, nobody, L::kTransient, kWait, M::kRelaxed},
      {kTimeout, "timeout", "stops waiting on", kQueue, kWrites, never, one, none, no_gift, nobody, L::kTransient, kTimeout, M::kRelaxed},
      {kSleep, "sleep", "sleeps on", kQueue, kWrites, never, one, none, no_gift, nobody, L::kTransient, kSleep, M::kRelaxed},
      {kSleepRefused, "sleep-refused", "finds another value in", kQueue, kReads, never, one, none, no_gift, nobody, L::kLook, kSleep, M::kRelaxed},
      {kSignal, "signal", "signals", kQueue, kWrites, never, picked, none, gift, Wakes::kPicked, L::kLasting, kSignal, M::kRelaxed},
      {kBroadcast, "broadcast", "broadcasts", kQueue, kWrites, never, one, none, gift, Wakes::kSet, L::kLasting, kBroadcast, M::kRelaxed},
      {kSemWait, "sem-wait", "takes from", kCount, kWrites, blocks, one, takes, no_gift, nobody, L::kTransient, kSemWait, M::kAcquire},
      {kSemTry, "sem-try", "takes from", kCount, kWrites, never, one, takes, no_gift, nobody, L::kTransient, kSemTry, M::kAcquire},
      {kSemTryFailed, "sem-try-failed", "fails to take from", kCount, kReads, never, one, none, no_gift, nobody, L::kLook, kSemTry, M::kRelaxed},
      {kSemPost, "sem-post", "posts", kCount, kWrites, never, one, gives, gift, nobody, L::kTransient, kSemPost, M::kRelease},
      {kReceive, "receive", "receives from", kContent, kWrites, blocks, one, takes, no_gift, nobody, L::kTransient, kReceive, M::kAcquire},
      {kSend, "send", "sends to", kContent, kWrites, never, one, gives, gift, nobody, L::kTransient, kSend, M::kRelease},
      {kArrive, "arrive", "arrives at", kBarrier, kWrites, never, one, none, gift, Wakes::kSet, L::kLasting, kArrive, M::kAcqRel},
      {kArriveInTurn, "arrive", "arrives at", kBarrier, kWrites, blocks, one, none, gift, Wakes::kSet, L::kLasting, kArriveInTurn, M::kAcqRel},
      {kSpawn, "spawn", "starts", kThread, kNone, never, one, none, gift, Wakes::kPeer, L::kLasting, kSpawn, M::kRelaxed},
      {kJoin, "join", "joins", kThread, kNone, blocks, one, none, no_gift, nobody, L::kLasting, kJoin, M::kRelaxed},
      {kChoose, "choose", "chooses", kNothing, kNone, never, picked, none, no_gift, nobody, L::kChoice, kChoose, M::kRelaxed},
      {kBranch, "branch", "branches", kNothing, kNone, never, picked, none, no_gift, nobody, L::kNothing, kBranch, M::kRelaxed},
      {kAssume, "assume", "assumes", kNothing, kNone, never, picked, none, no_gift, nobody, L::kNothing, kAssume, M::kRelaxed},
      {kFence, "fence", "passes a fence", kNothing, kNone, never, one, none, no_gift, nobody, L::kNothing, kFence, M::kSeqCst},
      {kTerminate, "terminate", "ends the program", kProcess, kNone, never, one, none, no_gift, nobody, L::kLasting, kTerminate, M::kRelaxed},
  }};
  // clang-format on
}

// A row that is missing, doubled or misplaced does not compile.
consteval std::array<KindRow, kOpKinds> checked_kind_rows() {
  const std::array<KindRow, kOpKinds> rows = make_kind_rows();
  for (int i = 0; i < kOpKinds; ++i) {
    if (rows[i].name == nullptr || rows[i].verb == nullptr) throw "an operation kind has no row";
    if (rows[i].kind != static_cast<OpKind>(i)) throw "the rows of operation kinds are out of order";
    const KindRow& attempt = rows[static_cast<int>(rows[i].attempt)];
    if (attempt.attempt != attempt.kind) throw "an attempt is the outcome of an attempt";
  }
  return rows;
}

}  // namespace detail

inline constexpr std::array<KindRow, kOpKinds> kKindRows = detail::checked_kind_rows();

constexpr const KindRow& row_of(OpKind kind) { return kKindRows[static_cast<int>(kind)]; }

// Some of the kinds. To ask whether one is among them is a shift.
class KindSet {
 public:
  template <class Predicate>
  static consteval KindSet where(Predicate&& holds) {
    KindSet set;
    for (const KindRow& row : kKindRows)
      if (holds(row)) set.bits_ |= 1ull << static_cast<int>(row.kind);
    return set;
  }
  constexpr bool contains(OpKind kind) const { return (bits_ >> static_cast<int>(kind) & 1) != 0; }

 private:
  std::uint64_t bits_ = 0;
};
static_assert(kOpKinds <= 64);

namespace detail {
// Asked at every step of every execution: bytes beside each other.
template <class T, T KindRow::* Column>
consteval std::array<T, kOpKinds> column() {
  std::array<T, kOpKinds> values{};
  for (int i = 0; i < kOpKinds; ++i) values[i] = kKindRows[i].*Column;
  return values;
}
inline constexpr auto kAccess = column<Access, &KindRow::access>();
}  // namespace detail

constexpr Access access_of(OpKind kind) { return detail::kAccess[static_cast<int>(kind)]; }
constexpr OpKind undecided(OpKind kind) { return row_of(kind).attempt; }
// The word used in traces, JSON and schedules.
constexpr const char* name_of(OpKind kind) { return row_of(kind).name; }

namespace detail {
inline constexpr KindSet kOnMemory = KindSet::where([](auto& row) { return row.subject == Subject::kMemory; });
inline constexpr KindSet kOnLock = KindSet::where([](auto& row) { return row.subject == Subject::kLock; });
inline constexpr KindSet kOnCounted =
    KindSet::where([](auto& row) { return row.subject == Subject::kLock || row.subject == Subject::kCount; });
inline constexpr KindSet kBlocking = KindSet::where([](auto& row) { return row.waiting == Waiting::kBlocks; });
inline constexpr KindSet kPicked = KindSet::where([](auto& row) { return row.outcomes == Outcomes::kPicked; });
inline constexpr KindSet kGiving = KindSet::where([](auto& row) { return row.gift == Gift::kGives; });
inline constexpr KindSet kWaking = KindSet::where([](auto& row) { return row.wakes != Wakes::kNobody; });
inline constexpr KindSet kArriving = KindSet::where([](auto& row) { return row.subject == Subject::kBarrier; });
inline constexpr KindSet kTaking = KindSet::where([](auto& row) { return row.holding == Holding::kTakes; });
inline constexpr KindSet kTakingLocks =
    KindSet::where([](auto& row) { return row.subject == Subject::kLock && row.holding == Holding::kTakes; });
inline constexpr KindSet kGivingLocks =
    KindSet::where([](auto& row) { return row.subject == Subject::kLock && row.holding == Holding::kGives; });
// What others are outcomes of: announced they are of the kind that succeeds.
inline constexpr KindSet kAttempts = KindSet::where([](auto& row) {
  for (const KindRow& other : kKindRows)
    if (other.attempt == row.kind && other.kind != row.kind) return true;
  return false;
});
inline constexpr KindSet kTouchesThreads = KindSet::where([](auto& row) {
  return row.wakes != Wakes::kNobody || row.subject == Subject::kThread || row.subject == Subject::kProcess;
});
inline constexpr KindSet kOnInput =
    KindSet::where([](auto& row) { return row.kind == OpKind::kBranch || row.kind == OpKind::kAssume; });
}  // namespace detail

// Does whoever does it find out what is there?
constexpr bool finds_out(OpKind kind) { return kind != OpKind::kWrite && access_of(kind) != Access::kNone; }
constexpr bool on_memory(OpKind kind) { return detail::kOnMemory.contains(kind); }
constexpr bool on_lock(OpKind kind) { return detail::kOnLock.contains(kind); }
// On objects that are nothing but a state: locks and semaphores. Who had one before is nothing to see.
constexpr bool is_on_counted(OpKind kind) { return detail::kOnCounted.contains(kind); }
constexpr bool takes_lock(OpKind kind) { return detail::kTakingLocks.contains(kind); }
constexpr bool gives_lock(OpKind kind) { return detail::kGivingLocks.contains(kind); }
// ... or what a semaphore counts.
constexpr bool takes(OpKind kind) { return detail::kTaking.contains(kind); }
constexpr bool blocks(OpKind kind) { return detail::kBlocking.contains(kind); }
// Operations that turn out one way or another as they find their object.
constexpr bool is_attempt(OpKind kind) { return detail::kAttempts.contains(kind); }
// Operations with several outcomes that the scheduler picks from.
constexpr bool has_alternatives(OpKind kind) { return detail::kPicked.contains(kind); }
constexpr bool is_on_input(OpKind kind) { return detail::kOnInput.contains(kind); }
constexpr bool is_arrival(OpKind kind) { return detail::kArriving.contains(kind); }
constexpr bool may_wake(OpKind kind) { return detail::kWaking.contains(kind); }
// Dependence that does not go through a common object: starting, joining, waking, ending the process.
constexpr bool touches_threads(OpKind kind) { return detail::kTouchesThreads.contains(kind); }
constexpr bool gives_to_others(OpKind kind) { return detail::kGiving.contains(kind); }
// Operations that compare what they find. Announced, `after` is with what; done as announced, they have found that.
constexpr bool compares(OpKind kind) {
  return kind == OpKind::kCas || kind == OpKind::kSleep || kind == OpKind::kArriveInTurn;
}

}  // namespace heddle::trace
