// Random programs about memory as it lies there - accesses of all sizes at all addresses, of which some overlap, and
// ranges that library functions touch - about containers of the C++ library under a lock, and about threads that wait
// for each other in all the ways that programs have. They are judged by the states in which they can end, which plain
// enumeration finds and which any exploration must find, whatever it takes for dependent. (Class counts say nothing
// here: places that some access touches together are one object, and that is learnt from what is run.)
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace heddle::check {

enum class StateOp : std::uint8_t {
  kLoad,      // r = what is at `at`, `size` bytes
  kStore,     // `size` bytes at `at` = value
  kStoreSum,  // ... = r + value
  kFill,      // memset: each of `size` bytes at `at` = the lowest of value
  kPut,       // memcpy: `size` bytes at `at` = those of r + value
  kGet,       // memcpy: r = `size` bytes at `at`
  // Atomics:
  kSet,         // count[at] = value
  kAdd,         // r = count[at]++
  kRetry,       // the same in a loop with compare_exchange_weak
  kAwait,       // until count[at] >= value, in the way `size`
  kLook,        // r = r * 2 + (count[at] >= value); looks a hundred times before it gives up
  kMeet,        // at a barrier, with all other threads
  kQuit,        // pthread_exit, if r is odd
  kCancel,      // the next thread
  kBeCanceled,  // a place to be cancelled at
  kAwaitKept,   // until `kept` >= value, in the way `size`; takes the lock to look
  // Under the lock, each with the next ones as long as `more` is set:
  kInsert,    // r = r * 2 + map.insert({value, at})
  kErase,     // r = r * 2 + map.erase(value)
  kLookUp,    // r = r * 3 + the value of the key `value`, or 0
  kPushBack,  // list.push_back(value)
  kPushFront,
  kPopFront,  // r = list.front() and list.pop_front(), or 9
  kAppend,    // text += 'a' + value; long enough texts move to the heap
  kMeasure,   // r = text.size()
  kScribble,  // strcat(letters, "a" or ...), in a buffer of the C library's functions
  kSpell,     // r = r * 2 + strlen(letters)
  kRenew,     // what `box` points to is freed, and it points to a new value
  kUnpack,    // r = *box
  kKeep,      // ++kept, and tells who waits for that
};

// Ways to wait for an atomic: in a loop; in one that yields after some turns; by atomic::wait.
enum AwaitWay : std::uint32_t { kSpins, kYields, kSleeps, kAwaitWays };
// ... for what the lock protects: on a condition variable; by lock, look, unlock; with attempts at the lock; with a
// second lock inside the first.
enum KeptWay : std::uint32_t { kOnCondition, kPolls, kTries, kTakesBoth, kKeptWays };

struct StateStatement {
  StateOp op = StateOp::kLoad;
  std::uint32_t at = 0, size = 1;
  std::uint64_t value = 0;
  bool more = false;
};

inline constexpr std::size_t kStateBytes = 16;
inline constexpr std::size_t kStateCounts = 2;

struct StateScript {
  bool memory = false;  // there are accesses outside the lock
  std::vector<std::vector<StateStatement>> threads;
};

StateScript random_state_script(std::uint64_t seed);

struct StateEnds {
  std::set<std::uint64_t> finals;  // digests of all states it can end in
  bool stuck = false;              // threads may wait for ever
};

// By enumeration of all interleavings; nothing if there are more than `limit`.
std::optional<StateEnds> ends_of(const StateScript& script, std::size_t limit);

// A test of that name in C++ that fails in a place of its own for each of these states, and aborts in any other.
std::string to_cxx(const StateScript& script, const std::string& name, const std::set<std::uint64_t>& finals);
std::string cxx_prelude();

}  // namespace heddle::check
