// Random programs about memory as it lies there: accesses of all sizes at all addresses, of which some overlap, and
// containers of the C++ library under a lock. They are judged by the states in which they can end, which plain
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
  // Under the lock, each with the next ones as long as `more` is set:
  kInsert,    // r = r * 2 + map.insert({value, at})
  kErase,     // r = r * 2 + map.erase(value)
  kLookUp,    // r = r * 3 + the value of the key `value`, or 0
  kPushBack,  // list.push_back(value)
  kPushFront,
  kPopFront,  // r = list.front() and list.pop_front(), or 9
  kAppend,    // text += 'a' + value; long enough texts move to the heap
  kMeasure,   // r = text.size()
};

struct StateStatement {
  StateOp op = StateOp::kLoad;
  std::uint32_t at = 0, size = 1;
  std::uint64_t value = 0;
  bool more = false;
};

inline constexpr std::size_t kStateBytes = 16;

struct StateScript {
  bool memory = false;   // there are accesses outside the lock
  std::vector<std::vector<StateStatement>> threads;
};

StateScript random_state_script(std::uint64_t seed);

// Digests of all states it can end in, by enumeration of all interleavings; nothing if there are more than `limit`.
std::optional<std::set<std::uint64_t>> final_states(const StateScript& script, std::size_t limit);

// A test of that name in C++ that fails in a place of its own for each of these states, and aborts in any other.
std::string to_cxx(const StateScript& script, const std::string& name, const std::set<std::uint64_t>& finals);
std::string cxx_prelude();

}  // namespace heddle::check
